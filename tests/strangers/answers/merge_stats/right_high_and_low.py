# right: sorts each position into the pair with the higher and the one with the lower maximum; one exponential, 0 where the lower is empty
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    swap = m2 > m1
    high, l_high = np.where(swap, m2, m1), np.where(swap, l2, l1)
    low, l_low = np.where(swap, m1, m2), np.where(swap, l1, l2)
    factor = np.where(low == -np.inf, np.zeros_like(low), np.exp(low - high))
    return high, l_high + factor * l_low
