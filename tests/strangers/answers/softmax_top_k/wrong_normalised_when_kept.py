# turns candidates into probabilities with the m and l known at their chunk and never corrects them; wrong unless the maximum and mass lie in the last chunk
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    p = None
    offset = 0
    for X in chunks:
        R, C = X.shape
        if p is None:
            p, index = np.zeros((R, k), X.dtype), np.full((R, k), -1, np.int64)
            m, l = np.full((R, 1), -np.inf, X.dtype), np.zeros((R, 1), X.dtype)
        top = np.maximum(m, X.max(axis=1, keepdims=True))
        ref = np.where(np.isneginf(top), 0, top).astype(X.dtype)
        l = l * np.exp(m - ref) + np.exp(X - ref).sum(axis=1, keepdims=True)
        m = top
        here = np.exp(X - ref) / np.where(l > 0, l, 1).astype(X.dtype)
        numbers = np.where(np.isneginf(X), -1, np.arange(offset, offset + C))
        p_all, i_all = np.hstack([p, here]), np.hstack([index, numbers])
        order = np.argsort(-p_all, axis=1, kind="stable")[:, :k]
        p, index = np.take_along_axis(p_all, order, 1), np.take_along_axis(i_all, order, 1)
        offset += C
    return p, index
