# iterator protocol: next(), a walrus, and two small closures
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    def finite(m: np.ndarray) -> np.ndarray:
        return np.where(m == -np.inf, m.dtype.type(0), m)

    def mass(chunk: np.ndarray, anchor: np.ndarray) -> np.ndarray:
        shifted = chunk - anchor[:, None]
        return np.exp(shifted, out=shifted).sum(axis=1)

    source = iter(chunks)
    first = next(source)
    m = first.max(axis=1)
    l = mass(first, finite(m))
    del first
    while (chunk := next(source, None)) is not None:
        higher = np.maximum(m, chunk.max(axis=1))
        anchor = finite(higher)
        l = l * np.exp(m - anchor) + mass(chunk, anchor)
        m = higher
    return m, l
