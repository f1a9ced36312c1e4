# uses argpartition and never sorts, so the k probabilities are the right ones but not in descending order
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    u = None
    base = 0
    for X in chunks:
        R, C = X.shape
        if u is None:
            u, at = np.full((R, k), -np.inf, X.dtype), np.full((R, k), -1, np.int64)
            m, l = np.full(R, -np.inf, X.dtype), np.zeros(R, X.dtype)
        top = np.maximum(m, X.max(axis=1))
        ref = np.where(np.isneginf(top), 0, top).astype(X.dtype)
        l = l * np.exp(m - ref) + np.exp(X - ref[:, None]).sum(axis=1)
        m = top
        U = np.concatenate([u, X], axis=1)
        A = np.concatenate([at, np.where(np.isneginf(X), -1, base + np.arange(C))], axis=1)
        part = np.argpartition(U, -k, axis=1)[:, -k:]
        u, at = np.take_along_axis(U, part, 1), np.take_along_axis(A, part, 1)
        base += C
    ref = np.where(np.isneginf(m), 0, m).astype(u.dtype)[:, None]
    return np.exp(u - ref) / np.where(l > 0, l, 1).astype(u.dtype)[:, None], at
