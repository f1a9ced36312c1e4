# rescales only the second piece by exp(m2 - m1), which assumes m1 >= m2; wrong (and overflowing) where m2 is larger
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m = np.maximum(m1, m2)
    step = np.where(np.isneginf(m2), 0, np.exp(m2 - np.where(np.isneginf(m1), m2, m1)))
    return m, (l1 + l2 * step).astype(l1.dtype)
