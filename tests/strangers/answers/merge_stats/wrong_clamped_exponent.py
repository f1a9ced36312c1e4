# Clamps the exponents at -20 'against underflow': a far lower piece with a large l keeps 2e-9 of it instead of nothing.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m = np.maximum(m1, m2)
    shift = np.where(m == -np.inf, np.float32(0), m)
    l = l1 * np.exp(np.maximum(m1 - shift, -20)) + l2 * np.exp(np.maximum(m2 - shift, -20))
    return m, l
