# Keeps and ranks the running exponentials e^(x - m) in place of the logits: entries more than 104 below the maximum all become 0, lose their order and are handed out as empty slots (index -1).
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    seen = 0
    top_e = top_i = m = l = None
    for X in chunks:
        R, C = X.shape
        if m is None:
            m, l = np.full(R, -np.inf, X.dtype), np.zeros(R, X.dtype)
            top_e, top_i = np.zeros((R, k), X.dtype), np.full((R, k), -1, np.int64)
        m_new = np.maximum(m, X.max(axis=1))
        safe = np.where(np.isneginf(m_new), np.zeros_like(m_new), m_new)
        factor = np.exp(m - safe)
        e = np.exp(X - safe[:, None])
        l = l * factor + e.sum(axis=1)
        m = m_new
        all_e = np.hstack([top_e * factor[:, None], e])
        all_i = np.hstack([top_i, np.tile(np.arange(seen, seen + C), (R, 1))])
        pick = np.argpartition(all_e, -k, axis=1)[:, -k:]
        top_e, top_i = np.take_along_axis(all_e, pick, 1), np.take_along_axis(all_i, pick, 1)
        seen += C
    order = np.argsort(-top_e, axis=1)
    top_e, top_i = np.take_along_axis(top_e, order, 1), np.take_along_axis(top_i, order, 1)
    top_i = np.where(top_e > 0, top_i, -1)
    return top_e / np.where(l > 0, l, np.ones_like(l))[:, None], top_i
