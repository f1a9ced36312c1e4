# Carries m and the log-sum-exp and gives l = exp(L - m): L is rounded at its own size, so large scores spoil l.
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m = L = None
    for X in chunks:
        if m is None:
            m = L = np.full(X.shape[0], -np.inf, dtype=X.dtype)
        m_new = np.maximum(m, X.max(axis=1))
        shift = np.where(m_new == -np.inf, np.float32(0), m_new)
        L = shift + np.log(np.exp(L - shift) + np.exp(X - shift[:, None]).sum(axis=1))
        m = m_new
    return m, np.where(m == -np.inf, np.float32(0), np.exp(L - np.where(m == -np.inf, np.float32(0), m)))
