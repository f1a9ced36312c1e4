# Saves memory by subtracting and exponentiating inside the chunk that it was handed: the numbers are right, but the caller's arrays are overwritten.
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m, l = None, None
    for chunk in chunks:
        if m is None:
            m = np.full(chunk.shape[0], -np.inf, dtype=chunk.dtype)
            l = np.zeros(chunk.shape[0], dtype=chunk.dtype)
        m_new = np.maximum(m, chunk.max(axis=1))
        shift = m_new.copy()
        shift[np.isneginf(shift)] = 0
        chunk -= shift[:, None]
        np.exp(chunk, out=chunk)
        l = l * np.exp(m - shift) + chunk.sum(axis=1)
        m = m_new
    return m, l
