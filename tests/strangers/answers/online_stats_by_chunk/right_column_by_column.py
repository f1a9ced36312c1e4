# walks the columns of each chunk and updates only rows in which the element is not masked
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    state = None
    for chunk in chunks:
        if state is None:
            rows = len(chunk)
            state = np.full(rows, -np.inf, chunk.dtype), np.zeros(rows, chunk.dtype)
        m, l = state
        for column in chunk.T:
            rows = np.flatnonzero(column > -np.inf)
            c = column[rows]
            top = np.maximum(m[rows], c)
            l[rows] = l[rows] * np.exp(m[rows] - top) + np.exp(c - top)
            m[rows] = top
    return state
