# Keeps a (R, k) leaderboard, appends the chunk, stable-sorts the negated values, with masked entries renamed to -1 before sorting.
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    top = idx = m = l = None
    seen = 0
    for X in chunks:
        R, C = X.shape
        if top is None:
            top = np.full((R, k), -np.inf, X.dtype)
            idx = np.full((R, k), -1, np.int64)
            m, l = top[:, 0].copy(), np.zeros(R, X.dtype)
        new = np.maximum(m, X.max(axis=1))
        ref = np.where(np.isneginf(new), np.zeros_like(new), new)
        l = l * np.exp(m - ref) + np.exp(X - ref[:, None]).sum(axis=1)
        m = new
        cols = np.where(np.isneginf(X), -1, np.arange(seen, seen + C, dtype=np.int64))
        pool, names = np.hstack([top, X]), np.hstack([idx, cols])
        best = np.argsort(-pool, axis=1, kind="stable")[:, :k]
        top = np.take_along_axis(pool, best, axis=1)
        idx = np.take_along_axis(names, best, axis=1)
        seen += C
    ref = np.where(np.isneginf(m), np.zeros_like(m), m)
    p = np.exp(top - ref[:, None]) / np.where(l > 0, l, np.ones_like(l))[:, None]
    return p, idx
