# skips a chunk only when every row of it is unseen; a row that begins with a masked chunk while another does not is nan
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m, l = None, None
    for X in chunks:
        if m is None:
            m = np.full(X.shape[0], -np.inf, dtype=X.dtype)
            l = np.zeros_like(m)
        m_new = np.maximum(m, X.max(axis=1))
        if np.all(m_new == -np.inf):
            continue
        l = l * np.exp(m - m_new) + np.exp(X - m_new[:, None]).sum(axis=1)
        m = m_new
    return m, l
