# puts the kept candidates in front of the chunk, sorts descending and keeps k, with m and l beside them
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    best = None
    offset = 0
    for X in chunks:
        R, C = X.shape
        if best is None:
            best = np.full((R, k), -np.inf, dtype=X.dtype)
            index = np.full((R, k), -1, dtype=np.int64)
            m = np.full((R, 1), -np.inf, dtype=X.dtype)
            l = np.zeros((R, 1), dtype=X.dtype)
        new = np.maximum(m, X.max(axis=1, keepdims=True))
        ref = np.where(np.isneginf(new), 0, new).astype(X.dtype)
        l = l * np.exp(m - ref) + np.exp(X - ref).sum(axis=1, keepdims=True)
        m = new
        columns = np.broadcast_to(np.arange(offset, offset + C), (R, C))
        values = np.concatenate([best, X], axis=1)
        numbers = np.concatenate([index, np.where(np.isneginf(X), -1, columns)], axis=1)
        order = np.argsort(-values, axis=1, kind="stable")[:, :k]
        best = np.take_along_axis(values, order, axis=1)
        index = np.take_along_axis(numbers, order, axis=1)
        offset += C
    ref = np.where(np.isneginf(m), 0, m).astype(best.dtype)
    p = np.exp(best - ref) / np.where(l > 0, l, 1).astype(best.dtype)
    return p, index
