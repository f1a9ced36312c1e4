# copies every chunk into a buffer of the first chunk's width and does not clear it; a narrower last chunk leaves old columns, which are counted again (and a wider one raises)
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    stream = iter(chunks)
    buffer = np.array(next(stream))
    m = np.full(buffer.shape[0], -np.inf, dtype=buffer.dtype)
    l = np.zeros(buffer.shape[0], dtype=buffer.dtype)
    more = True
    while more:
        new = np.maximum(m, buffer.max(axis=1))
        ref = np.where(np.isneginf(new), 0, new).astype(buffer.dtype)
        l = l * np.exp(m - ref) + np.exp(buffer - ref[:, None]).sum(axis=1)
        m = new
        X = next(stream, None)
        more = X is not None
        if more:
            buffer[:, : X.shape[1]] = X
    return m, l
