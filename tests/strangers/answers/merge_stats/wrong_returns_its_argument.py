# Has a fast path that returns the arrays of the other piece themselves when one piece is empty at every position, so the result is not new memory for (-inf, 0) inputs.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    if np.all(m2 == -np.inf):
        return m1, l1
    if np.all(m1 == -np.inf):
        return m2, l2
    m = np.maximum(m1, m2)
    d1 = np.where(m1 == m, np.zeros_like(m), m1 - m)
    d2 = np.where(m2 == m, np.zeros_like(m), m2 - m)
    return m, l1 * np.exp(d1) + l2 * np.exp(d2)
