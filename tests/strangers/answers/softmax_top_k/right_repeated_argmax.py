# right: no sort; buffer and chunk stand side by side, and k times the largest candidate is taken out; a candidate that is masked or taken has column -1
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    state, start = None, 0
    for chunk in chunks:
        rows, width = chunk.shape
        every = np.arange(rows)
        if state is None:
            dtype = chunk.dtype
            state = np.full(rows, -np.inf, dtype), np.zeros(rows, dtype)
            best = np.full((rows, k), -np.inf, dtype)
            index = np.full((rows, k), -1, np.int64)

        m_old, l = state
        m = np.maximum(m_old, chunk.max(axis=1))
        base = np.where(m == -np.inf, np.zeros_like(m), m)
        l = l * np.exp(m_old - base) + np.exp(chunk - base[:, None]).sum(axis=1)
        state = m, l

        candidates = np.concatenate([best, chunk], axis=1)
        columns = np.full((rows, k + width), -1, np.int64)
        columns[:, :k] = index
        columns[:, k:] = np.where(chunk > -np.inf, start + np.arange(width), -1)
        for slot in range(k):
            place = candidates.argmax(axis=1)
            best[:, slot] = candidates[every, place]
            index[:, slot] = columns[every, place]
            candidates[every, place] = -np.inf
            columns[every, place] = -1
        start += width

    m, l = state
    p = np.zeros_like(best)
    alive = l > 0
    p[alive] = np.exp(best[alive] - m[alive, None]) / l[alive, None]
    return p, index
