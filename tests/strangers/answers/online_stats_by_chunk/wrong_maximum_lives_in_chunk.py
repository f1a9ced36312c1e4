# Starts the running maximum as a view of the first chunk's first column and updates it with out=, so the caller's first chunk is overwritten (and m is not new memory).
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    it = iter(chunks)
    first = next(it)
    m = first[:, 0]
    l = (m > -np.inf).astype(first.dtype)

    def absorb(part, m, l):
        if part.shape[1] == 0:
            return l
        old = m.copy()
        np.maximum(m, part.max(axis=1), out=m)
        ref = np.where(m > -np.inf, m, np.zeros_like(m))
        return l * np.exp(old - ref) + np.exp(part - ref[:, None]).sum(axis=1)

    l = absorb(first[:, 1:], m, l)
    for part in it:
        l = absorb(part, m, l)
    return m, l
