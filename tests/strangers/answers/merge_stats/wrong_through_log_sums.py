# goes through L = m + log l and comes back as exp(L - m); at maxima of 1e5 and more L is rounded so coarsely that l is off by percents
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m = np.maximum(m1, m2)
    with np.errstate(divide="ignore", invalid="ignore"):
        L = np.logaddexp(m1 + np.log(l1), m2 + np.log(l2))
        l = np.exp(L - m)
    return m, np.where(np.isneginf(m), 0, l).astype(m.dtype)
