# Carries rescaled exponentials instead of logits and marks slots with weight 0 as empty, so entries whose probability underflows lose their column (and their order) although they are not masked.
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    start, p = 0, None
    for X in chunks:
        R, C = X.shape
        if p is None:
            m = np.full(R, -np.inf, X.dtype)
            l = np.zeros(R, X.dtype)
            p = np.zeros((R, k), X.dtype)
            index = np.full((R, k), -1, np.int64)
        new = np.maximum(m, X.max(axis=1))
        base = np.where(np.isneginf(new), np.float32(0), new)
        alpha = np.exp(m - base)
        w = np.exp(X - base[:, None])
        l = alpha * l + w.sum(axis=1)
        both = np.concatenate([alpha[:, None] * p, w], axis=1)
        cols = np.concatenate([index, np.tile(np.arange(start, start + C), (R, 1))], axis=1)
        pick = np.argsort(-both, axis=1, kind="stable")[:, :k]
        p = np.take_along_axis(both, pick, axis=1)
        index = np.take_along_axis(cols, pick, axis=1)
        m, start = new, start + C
    index[p == 0] = -1
    l[l == 0] = 1
    return p / l[:, None], index
