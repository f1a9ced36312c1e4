# Pools the k kept logits with the new chunk, sorts the pool, and recovers columns from the places in the pool, without an array of column numbers.
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    def finite(m):
        return np.where(m == -np.inf, np.zeros_like(m), m)

    top = None
    seen = 0
    for block in chunks:
        if top is None:
            rows, dtype = len(block), block.dtype
            m, l = np.full(rows, -np.inf, dtype=dtype), np.zeros(rows, dtype=dtype)
            top = np.full((rows, k), -np.inf, dtype=dtype)
            index = np.full((rows, k), -1, dtype=np.int64)
        m_new = np.maximum(m, block.max(axis=1))
        shift = finite(m_new)
        l = l * np.exp(m - shift) + np.exp(block - shift[:, None]).sum(axis=1)
        m = m_new

        pool = np.concatenate([top, block], axis=1)
        place = np.argsort(-pool, axis=1, kind="stable")[:, :k]
        top = np.take_along_axis(pool, place, axis=1)
        kept = np.take_along_axis(index, np.minimum(place, k - 1), axis=1)
        index = np.where(place < k, kept, place - k + seen)
        seen += block.shape[1]
    index[top == -np.inf] = -1
    # l >= 1 wherever anything was seen: the maximum itself adds exp(0)
    p = np.exp(top - finite(m)[:, None]) / np.maximum(l, np.ones_like(l))[:, None]
    return p, index
