# Takes a short cut where one piece is empty at all positions and returns the other piece's own arrays: right numbers, but the results are no new memory.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    if np.isneginf(m2).all():
        return m1, l1
    if np.isneginf(m1).all():
        return m2, l2
    m = np.maximum(m1, m2)
    shift = np.where(np.isneginf(m), np.zeros_like(m), m)
    return m, l1 * np.exp(m1 - shift) + l2 * np.exp(m2 - shift)
