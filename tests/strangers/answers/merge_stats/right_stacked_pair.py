# Treats the two pieces as an axis of length 2: stack, maximum, masked weights, weighted sum.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    M, L = np.stack([m1, m2]), np.stack([l1, l2])
    m = M.max(axis=0)
    w = np.where(M == -np.inf, np.zeros_like(M), np.exp(M - m))
    return m, np.sum(w * L, axis=0)
