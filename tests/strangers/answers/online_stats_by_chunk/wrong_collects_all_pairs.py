# Stores the pair of every chunk in two lists and merges them after the stream has ended: right numbers, but the memory grows with the number of chunks (2 N numbers a row for chunks of one column).
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    ms, ls = [], []
    for c in chunks:
        mc = c.max(axis=1)
        ms.append(mc)
        base = np.where(np.isneginf(mc), np.zeros_like(mc), mc)
        ls.append(np.exp(c - base[:, None]).sum(axis=1))
    M, Lc = np.array(ms), np.array(ls)
    m = M.max(axis=0)
    base = np.where(np.isneginf(m), np.zeros_like(m), m)
    return m, (Lc * np.exp(M - base)).sum(axis=0)
