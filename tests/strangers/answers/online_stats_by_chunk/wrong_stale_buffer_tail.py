# Reuses a scratch buffer as wide as the first chunk and sums all of it, so the stale columns of the previous chunk are counted again when a chunk is narrower (and a wider chunk fails).
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    buf = None
    for X in chunks:
        if buf is None:
            buf = np.empty_like(X)  # allocate once, the loop is hot
            m = np.full(X.shape[0], -np.inf, dtype=X.dtype)
            l = np.zeros(X.shape[0], dtype=X.dtype)
        m_new = np.maximum(m, X.max(axis=1))
        base = np.where(np.isneginf(m_new), np.float32(0), m_new)
        np.subtract(X, base[:, None], out=buf[:, : X.shape[1]])
        np.exp(buf, out=buf)
        l = l * np.exp(m - base) + buf.sum(axis=1)
        m = m_new
    return m, l
