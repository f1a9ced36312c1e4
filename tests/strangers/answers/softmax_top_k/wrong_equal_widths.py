# takes the column offset as chunk number times this chunk's width; columns are wrong once widths differ (narrower last chunk)
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    best = None
    for number, X in enumerate(chunks):
        R, C = X.shape
        if best is None:
            best, index = np.full((R, k), -np.inf, X.dtype), np.full((R, k), -1)
            m, l = np.full((R, 1), -np.inf, X.dtype), np.zeros((R, 1), X.dtype)
        new = np.maximum(m, X.max(1, keepdims=True))
        ref = np.where(np.isneginf(new), 0, new).astype(X.dtype)
        l = l * np.exp(m - ref) + np.exp(X - ref).sum(1, keepdims=True)
        m = new
        columns = np.where(np.isneginf(X), -1, number * C + np.arange(C))
        values, where = np.hstack([best, X]), np.hstack([index, columns])
        order = np.argsort(-values, axis=1)[:, :k]
        best, index = np.take_along_axis(values, order, 1), np.take_along_axis(where, order, 1)
        index[np.isneginf(best)] = -1
    ref = np.where(np.isneginf(m), 0, m).astype(best.dtype)
    return np.exp(best - ref) / np.where(l > 0, l, 1).astype(best.dtype), index
