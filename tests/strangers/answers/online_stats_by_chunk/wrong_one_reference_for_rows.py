# Measures all rows from one running maximum over the whole batch and converts at the end: rows more than about 100 below the largest row lose their sum (0 times inf is NaN, or 0).
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    ref = np.float32(-np.inf)
    m, l = None, None
    for c in chunks:
        if m is None:
            m, l = np.full(c.shape[0], -np.inf, c.dtype), np.zeros(c.shape[0], c.dtype)
        top = max(ref, c.max())
        if np.isneginf(top):
            continue
        l = l * np.exp(ref - top) + np.exp(c - top).sum(axis=1)
        m = np.maximum(m, c.max(axis=1))
        ref = top
    alive = ~np.isneginf(m)
    l[alive] *= np.exp(ref - m[alive])
    return m, l
