# Takes differences in float64 "so that large maxima do not hurt" and never casts back, so l comes out as float64.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    a, b = np.float64(m1), np.float64(m2)
    top = np.maximum(a, b)
    t = np.where(np.isinf(top), 0.0, top)
    l = l1 * np.exp(a - t) + l2 * np.exp(b - t)
    return np.maximum(m1, m2), l
