# Sorts each position into the larger and the smaller maximum, so only the smaller one is rescaled; equal maxima (also two of -inf) get the factor 1.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    second = m2 > m1
    high, l_high = np.where(second, m2, m1), np.where(second, l2, l1)
    low, l_low = np.where(second, m1, m2), np.where(second, l1, l2)
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.where(low == high, np.zeros_like(high), low - high)
    return high, l_high + l_low * np.exp(gap)
