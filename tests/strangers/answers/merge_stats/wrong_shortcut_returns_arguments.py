# Short-cuts the identity: if one side is empty at all positions it returns the other side's own arrays (not new memory); the values are right.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    if not np.any(l1):
        return m2, l2
    if not np.any(l2):
        return m1, l1
    m = np.maximum(m1, m2)
    c = np.where(np.isneginf(m), np.zeros_like(m), m)
    return m, l1 * np.exp(m1 - c) + l2 * np.exp(m2 - c)
