# Updates by boolean indexing only those rows that have seen an unmasked entry, so no guard inside the exponent is needed.
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m = l = None
    for block in chunks:
        if m is None:
            m = np.full(len(block), -np.inf, dtype=block.dtype)
            l = np.zeros(len(block), dtype=block.dtype)
        top = np.maximum(m, block.max(axis=1))
        live = top > -np.inf
        t = top[live]
        fresh = np.exp(block[live] - t[:, None]).sum(axis=1)
        l[live] = l[live] * np.exp(m[live] - t) + fresh
        m = top
    return m, l
