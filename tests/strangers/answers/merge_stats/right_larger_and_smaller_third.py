# Sorts each pair of pieces into the larger and the smaller one; only the smaller is brought down, by 0 if it is empty.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    first = m1 >= m2
    high, low = np.where(first, m1, m2), np.where(first, m2, m1)
    l_high, l_low = np.where(first, l1, l2), np.where(first, l2, l1)
    factor = np.where(np.isneginf(low), np.zeros_like(low), np.exp(low - high))
    return high, l_high + l_low * factor
