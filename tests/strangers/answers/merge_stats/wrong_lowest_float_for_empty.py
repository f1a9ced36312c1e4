# clamps maxima to the lowest float32, so two empty pieces give m = -3.4e38 and not -inf
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    lowest = np.finfo(np.float32).min
    a, b = np.maximum(m1, lowest), np.maximum(m2, lowest)
    m = np.maximum(a, b)
    return m, l1 * np.exp(a - m) + l2 * np.exp(b - m)
