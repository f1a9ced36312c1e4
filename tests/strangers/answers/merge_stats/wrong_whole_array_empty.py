# looks for emptiness of the whole array, so one position that is empty on both sides among live ones is nan
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    if not np.any(l1):
        return m2, l2
    if not np.any(l2):
        return m1, l1
    m = np.maximum(m1, m2)
    return m, l1 * np.exp(m1 - m) + l2 * np.exp(m2 - m)
