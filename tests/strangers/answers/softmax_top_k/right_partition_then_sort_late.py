# Keeps an unordered set of k by argpartition per chunk, sorts once at the end, and marks leftovers by their logit being -inf.
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    bag = None
    offset = 0
    for chunk in chunks:
        rows, width = chunk.shape
        if bag is None:
            bag = np.full((rows, k), -np.inf, chunk.dtype)
            where = np.full((rows, k), -1, np.int64)
            m = np.full((rows, 1), -np.inf, chunk.dtype)
            l = np.zeros((rows, 1), chunk.dtype)
        up = np.maximum(m, chunk.max(axis=1, keepdims=True))
        l = np.nan_to_num(np.exp(m - up)) * l
        l = l + np.nan_to_num(np.exp(chunk - up)).sum(axis=1, keepdims=True)
        m = up
        values = np.concatenate((bag, chunk), axis=1)
        names = np.concatenate(
            (where, np.broadcast_to(offset + np.arange(width), (rows, width))), axis=1
        )
        pick = np.argpartition(values, width, axis=1)[:, width:]
        bag = np.take_along_axis(values, pick, axis=1)
        where = np.take_along_axis(names, pick, axis=1)
        offset += width
    order = np.argsort(bag, axis=1)[:, ::-1]
    bag, where = np.take_along_axis(bag, order, axis=1), np.take_along_axis(where, order, axis=1)
    gone = np.isneginf(bag)
    p = np.nan_to_num(np.exp(bag - m) / l, nan=0.0)
    return np.where(gone, np.zeros_like(p), p), np.where(gone, -1, where).astype(np.int64)
