# A hurried guard: a chunk is skipped if any of its rows is masked there, and the other rows lose it.
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m = l = None
    for X in chunks:
        if m is None:
            m = np.full(X.shape[0], -np.inf, dtype=X.dtype)
            l = np.zeros(X.shape[0], dtype=X.dtype)
        if np.isneginf(X.max(axis=1)).any():
            continue
        m_new = np.maximum(m, X.max(axis=1))
        shift = np.where(m_new == -np.inf, np.float32(0), m_new)
        l = l * np.exp(m - shift) + np.exp(X - shift[:, None]).sum(axis=1)
        m = m_new
    return m, l
