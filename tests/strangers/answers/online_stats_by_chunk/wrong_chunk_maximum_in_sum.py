# the new terms are measured from the chunk's own maximum, not the running one; too large whenever a later chunk has the smaller maximum
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m, l = -np.inf, 0
    for X in chunks:
        top = X.max(axis=1)
        ref = np.where(np.isneginf(top), 0, top).astype(X.dtype)
        new = np.maximum(m, top)
        stay = np.where(np.isneginf(new), 0, np.exp(m - np.where(np.isneginf(new), 0, new)))
        l = (l * stay + np.exp(X - ref[:, None]).sum(axis=1)).astype(X.dtype)
        m = new.astype(X.dtype)
    return m, l
