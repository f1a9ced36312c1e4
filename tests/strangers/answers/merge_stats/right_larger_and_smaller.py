# keeps the side with the larger maximum and scales the other one by exp(-gap)
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    first = m1 >= m2
    high, low = np.where(first, m1, m2), np.where(first, m2, m1)
    l_high, l_low = np.where(first, l1, l2), np.where(first, l2, l1)
    gap = np.where(np.isneginf(low), -np.inf, low - high).astype(high.dtype)
    return high, l_high + l_low * np.exp(gap)
