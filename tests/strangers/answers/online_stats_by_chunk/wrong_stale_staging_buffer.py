# Copies each chunk into a staging buffer as wide as the first and always reduces the whole buffer, so a narrower chunk counts leftovers of the one before (and a wider one does not fit).
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    buf = m = l = None
    for chunk in chunks:
        if buf is None:
            buf = np.full(chunk.shape, -np.inf, dtype=chunk.dtype)
            m = np.full(chunk.shape[0], -np.inf, dtype=chunk.dtype)
            l = np.zeros(chunk.shape[0], dtype=chunk.dtype)
        buf[:, : chunk.shape[1]] = chunk
        new = np.maximum(m, buf.max(axis=1))
        safe = np.where(np.isneginf(new), np.zeros_like(new), new)
        l = l * np.exp(m - safe) + np.exp(buf - safe[:, None]).sum(axis=1)
        m = new
    return m, l
