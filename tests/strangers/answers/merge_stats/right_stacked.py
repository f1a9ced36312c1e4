# right: both pieces on a new axis, one maximum and one sum over it; a piece without keys gets the exponent -inf.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    maxima, sums = np.stack([m1, m2]), np.stack([l1, l2])
    m = maxima.max(axis=0)
    empty = np.isneginf(maxima)
    exponent = np.where(empty, maxima, maxima - m)  # never -inf - (-inf)
    l = (sums * np.exp(exponent)).sum(axis=0)
    return m, l
