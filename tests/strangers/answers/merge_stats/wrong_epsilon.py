# Adds 1e-10 to l 'so that nobody divides by zero': two empty pieces no longer give an empty one.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m = np.maximum(m1, m2)
    shift = np.where(m == -np.inf, np.float32(0), m)
    l = l1 * np.exp(m1 - shift) + l2 * np.exp(m2 - shift) + np.float32(1e-10)
    return m, l
