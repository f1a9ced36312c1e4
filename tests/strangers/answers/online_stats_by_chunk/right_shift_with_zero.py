# vectorised over the rows, with 0 as the shift of rows that have seen nothing yet
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m = l = None
    for X in chunks:
        if m is None:
            m = np.full(X.shape[0], -np.inf, dtype=X.dtype)
            l = np.zeros(X.shape[0], dtype=X.dtype)
        new = np.maximum(m, X.max(axis=1, initial=-np.inf))
        shift = np.where(np.isneginf(new), 0, new).astype(X.dtype)
        l = l * np.exp(m - shift) + np.exp(X - shift[:, None]).sum(axis=1)
        m = new
    return m, l
