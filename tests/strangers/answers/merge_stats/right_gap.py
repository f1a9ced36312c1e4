# numerics person: one exponential of the gap between the two maxima
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    gap = np.abs(np.subtract(m1, m2, dtype=np.float64))
    gap = np.where(m1 == m2, 0.0, gap)  # two empty pieces: inf - inf is no number
    lighter = np.exp(-gap)
    first_leads = m1 >= m2
    leading, trailing = np.where(first_leads, l1, l2), np.where(first_leads, l2, l1)
    l = leading + trailing * lighter
    return np.maximum(m1, m2), l.astype(np.asarray(l1).dtype)
