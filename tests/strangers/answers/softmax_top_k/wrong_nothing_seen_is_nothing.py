# Skips chunks in which nothing is seen; where all of them are such, it has no leaderboard to return.
def softmax_top_k(chunks, k):
    board = None
    at = 0
    for c in chunks:
        w = c.shape[1]
        if np.isneginf(c).all():
            at += w
            continue
        if board is None:
            r = len(c)
            board = np.full((r, k), -np.inf, np.float32), np.full((r, k), -1), np.full(r, -np.inf, np.float32), np.zeros(r, np.float32)
        v, ix, m, l = board
        n = np.maximum(m, c.max(1))
        ref = np.where(n > -np.inf, n, 0)
        l = l * np.exp(m - ref) + np.exp(c - ref[:, None]).sum(1)
        vv = np.hstack([v, c])
        ii = np.hstack([ix, np.broadcast_to(np.arange(at, at + w), c.shape)])
        o = np.argsort(-vv, 1)[:, :k]
        v, ix = np.take_along_axis(vv, o, 1), np.take_along_axis(ii, o, 1)
        board = v, np.where(v == -np.inf, -1, ix), n, l
        at += w
    v, ix, m, l = board
    ref = np.where(m > -np.inf, m, 0)
    return np.exp(v - ref[:, None]) / np.where(l > 0, l, 1)[:, None], ix.astype(np.int64)
