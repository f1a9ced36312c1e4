# Makes -inf finite with nan_to_num before the maximum, so merging two empty pieces returns m = -3.4e38 in place of -inf.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m1, m2 = np.nan_to_num(m1), np.nan_to_num(m2)
    m = np.maximum(m1, m2)
    return m, np.exp(m1 - m) * l1 + np.exp(m2 - m) * l2
