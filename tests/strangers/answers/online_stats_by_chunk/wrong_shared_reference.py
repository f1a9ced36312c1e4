# one running reference for all rows, converted to each row's own maximum at the end; rows 104 below another row have already underflowed
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    g, m, l = -np.inf, None, None
    for X in chunks:
        top = X.max(axis=1)
        m = top if m is None else np.maximum(m, top)
        new = max(g, float(X.max()))
        if new == -np.inf:
            l = np.zeros(len(X), X.dtype) if l is None else l
            continue
        add = np.exp(X - X.dtype.type(new)).sum(axis=1)
        l = add if l is None else l * X.dtype.type(np.exp(g - new)) + add
        g = new
    if g == -np.inf:
        return m, l
    gap = np.where(np.isneginf(m), 0, m.dtype.type(g) - m)
    return m, l * np.exp(gap).astype(l.dtype)
