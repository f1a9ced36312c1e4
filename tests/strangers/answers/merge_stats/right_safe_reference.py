# formula as printed, with 0 as the reference where both pieces are empty
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m = np.maximum(m1, m2)
    ref = np.where(m == -np.inf, np.zeros_like(m), m)
    return m, l1 * np.exp(m1 - ref) + l2 * np.exp(m2 - ref)
