# saves an array by shifting and exponentiating inside the chunk it was given, so the caller's scores are overwritten
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m = l = None
    for X in chunks:
        top = X.max(axis=1) if m is None else np.maximum(m, X.max(axis=1))
        ref = np.where(np.isneginf(top), 0, top).astype(X.dtype)
        X -= ref[:, None]
        np.exp(X, out=X)
        l = X.sum(axis=1) if m is None else l * np.exp(m - ref) + X.sum(axis=1)
        m = top
    return m, l
