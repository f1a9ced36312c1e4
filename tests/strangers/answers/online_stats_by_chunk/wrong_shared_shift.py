# Sums all rows from one maximum shared by the whole batch and converts to each row's own maximum at the end, so a row that lies about 90 below another row underflows and gives NaN.
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    ref = -np.inf
    m = total = None
    for X in chunks:
        tops = X.max(axis=1)
        if m is None:
            m, total = tops, np.zeros_like(tops)
        else:
            m = np.maximum(m, tops)
        new = max(ref, tops.max())
        if np.isneginf(new):
            continue
        total = total * np.exp(ref - new) + np.exp(X - new).sum(axis=1)
        ref = new
    l = total * np.exp(ref - m)  # in the units of each row
    l[np.isneginf(m)] = 0
    return m, l
