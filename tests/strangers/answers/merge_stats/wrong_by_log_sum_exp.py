# Goes through L = m + log l of each piece, which is rounded to the spacing of floats near m: with maxima of 1e5, l is off by parts in a thousand, with 1e6 by parts in a hundred.
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m = np.maximum(m1, m2)
    zero = np.zeros_like(m)

    def weight(m_i, l_i):
        L = m_i + np.log(l_i)
        return np.where(np.isneginf(L), zero, np.exp(L - m))

    return m, weight(m1, l1) + weight(m2, l2)
