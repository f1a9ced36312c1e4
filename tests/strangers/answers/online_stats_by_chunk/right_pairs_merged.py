# each chunk makes its own pair (maximum, sum), which is brought to the common maximum; nan factors of empty pairs become 0
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    def pair(X):
        top = X.max(axis=1)
        return top, np.nan_to_num(np.exp(X - top[:, None]), nan=0).sum(axis=1)

    def factor(old, new):
        return np.nan_to_num(np.exp(old - new), nan=0)

    stream = iter(chunks)
    m, l = pair(next(stream))
    for X in stream:
        mc, lc = pair(X)
        top = np.maximum(m, mc)
        l = l * factor(m, top) + lc * factor(mc, top)
        m = top
    return m, l
