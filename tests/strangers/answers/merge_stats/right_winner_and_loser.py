# Sorts each position into the piece with the larger maximum and the other one; only the loser is rescaled.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    first = np.greater_equal(m1, m2)
    m, low = np.maximum(m1, m2), np.minimum(m1, m2)
    win, lose = np.where(first, l1, l2), np.where(first, l2, l1)
    factor = np.where(np.isneginf(low), np.zeros_like(low), np.exp(low - m))
    return m, win + lose * factor
