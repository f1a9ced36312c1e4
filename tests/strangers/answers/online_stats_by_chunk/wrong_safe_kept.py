# WRONG: the guarded maximum (0 for -inf) is what is carried; a row that starts masked and goes on below 0 gets m = 0
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m = l = None
    for X in chunks:
        if m is None:
            m, l = np.full(len(X), -np.inf, X.dtype), np.zeros(len(X), X.dtype)
        new = np.maximum(m, X.max(axis=1))
        new = np.where(np.isneginf(new), X.dtype.type(0), new)
        l = l * np.exp(m - new) + np.exp(X - new[:, None]).sum(axis=1)
        m = new
    return np.where(l == 0, X.dtype.type(-np.inf), m), l
