# Reduces every chunk to its own pair (maximum, sum) and merges that pair with the state, each brought down by its own factor.
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    def down(old, new):
        return np.exp(np.where(old == new, np.zeros_like(old), old - new))

    m = l = None
    for chunk in chunks:
        top = chunk.max(axis=1)
        base = np.where(np.isneginf(top), np.zeros_like(top), top)
        part = np.exp(chunk - base[:, None]).sum(axis=1)
        if m is None:
            m, l = top, part
        else:
            new = np.maximum(m, top)
            l = l * down(m, new) + part * down(top, new)
            m = new
    return m, l
