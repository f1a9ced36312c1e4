# Sorts the k candidates kept so far together with the chunk's columns; masked columns enter with the number -1.
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    best = None
    start = 0
    for chunk in chunks:
        rows, width = chunk.shape
        if best is None:
            best = np.full((rows, k), -np.inf, dtype=chunk.dtype)
            index = np.full((rows, k), -1, dtype=np.int64)
            m = np.full(rows, -np.inf, dtype=chunk.dtype)
            l = np.zeros(rows, dtype=chunk.dtype)
        columns = np.arange(start, start + width, dtype=np.int64)[None, :]
        start += width

        values = np.concatenate([best, chunk], axis=1)
        names = np.concatenate([index, np.where(np.isneginf(chunk), -1, columns)], axis=1)
        order = np.argsort(-values, axis=1, kind="stable")[:, :k]
        best = np.take_along_axis(values, order, axis=1)
        index = np.take_along_axis(names, order, axis=1)

        new = np.maximum(m, chunk.max(axis=1))
        base = np.where(np.isneginf(new), np.zeros_like(new), new)
        l = l * np.exp(m - base) + np.exp(chunk - base[:, None]).sum(axis=1)
        m = new
    base = np.where(np.isneginf(m), np.zeros_like(m), m)
    p = np.zeros_like(best)
    np.divide(np.exp(best - base[:, None]), l[:, None], out=p, where=index >= 0)
    return p, index
