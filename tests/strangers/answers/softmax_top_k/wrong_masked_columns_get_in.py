# Sorts masked entries (-inf) as ordinary candidates and never renames them: a row with fewer than k unmasked entries reports columns of masked ones where -1 is asked for, since an ascending sort read backwards puts newcomers before the empty slots.
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    lead = None
    pos = 0
    for c in chunks:
        r, w = c.shape
        if lead is None:
            lead = np.full((r, k), -np.inf, c.dtype)
            who = np.full((r, k), -1, np.int64)
            m, l = np.full((r, 1), -np.inf, c.dtype), np.zeros((r, 1), c.dtype)
        m2 = np.maximum(m, c.max(1, keepdims=True))
        ref = np.where(np.isneginf(m2), np.zeros_like(m2), m2)
        l = l * np.exp(m - ref) + np.exp(c - ref).sum(1, keepdims=True)
        m = m2
        lead = np.concatenate([lead, c], 1)
        who = np.concatenate([who, np.tile(np.arange(pos, pos + w), (r, 1))], 1)
        o = np.argsort(lead, axis=1, kind="stable")[:, ::-1][:, :k]
        lead, who = np.take_along_axis(lead, o, 1), np.take_along_axis(who, o, 1)
        pos += w
    ref = np.where(np.isneginf(m), np.zeros_like(m), m)
    return np.exp(lead - ref) / np.where(l == 0, np.ones_like(l), l), who
