# Ignores the vector formula: walks the columns of every chunk and applies the scalar recurrence to all rows with one selected exponential per column.
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m = l = None
    for chunk in chunks:
        if m is None:
            m = np.full(chunk.shape[0], -np.inf, dtype=chunk.dtype)
            l = np.zeros_like(m)
        for col in chunk.T:
            up = col > m
            decay = np.exp(-np.abs(np.where(col == m, np.zeros_like(m), col - m)))
            decay = np.where(np.isneginf(col), np.zeros_like(decay), decay)
            l = np.where(up, l * decay + 1, l + decay)
            m = np.maximum(m, col)
    return m, l
