# keeps the k largest of every chunk in lists and chooses at the end: memory R k for each chunk grows with the number of chunks
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    tops, places = [], []
    m = l = None
    offset = 0
    for X in chunks:
        order = np.argsort(-X, axis=1)[:, :k]
        tops.append(np.take_along_axis(X, order, axis=1))
        places.append(order + offset)
        offset += X.shape[1]
        top = X.max(axis=1, keepdims=True)
        new = top if m is None else np.maximum(m, top)
        ref = np.where(np.isneginf(new), 0, new).astype(X.dtype)
        add = np.exp(X - ref).sum(axis=1, keepdims=True)
        l = add if l is None else l * np.exp(m - ref) + add
        m = new
    R = m.shape[0]
    tops.append(np.full((R, k), -np.inf, m.dtype))
    places.append(np.full((R, k), -1))
    values, index = np.hstack(tops), np.hstack(places)
    order = np.argsort(-values, axis=1)[:, :k]
    values, index = np.take_along_axis(values, order, 1), np.take_along_axis(index, order, 1)
    ref = np.where(np.isneginf(m), 0, m).astype(values.dtype)
    p = np.exp(values - ref) / np.where(l > 0, l, 1).astype(values.dtype)
    return p, np.where(np.isneginf(values), -1, index)
