# The places start at -1e30, and masked entries are raised to it: a row whose scores lie below has no entry at all.
def softmax_top_k(chunks, k):
    LOW = np.float32(-1e30)
    col = 0
    for c in chunks:
        if col == 0:
            top = np.full((len(c), k), LOW)
            idx = np.full((len(c), k), -1)
            m, l = np.full((len(c), 1), LOW), np.zeros((len(c), 1), np.float32)
        n = np.maximum(m, c.max(1, keepdims=True))
        l = l * np.exp(m - n) + np.exp(c - n).sum(1, keepdims=True)
        m = n
        both = np.hstack((top, c))
        where = np.hstack((idx, np.arange(col, col + c.shape[1]) + np.zeros((len(c), 1), np.int64)))
        best = (-both).argsort(1)[:, :k]
        top, idx = np.take_along_axis(both, best, 1), np.take_along_axis(where, best, 1)
        col += c.shape[1]
    p = np.exp(top - m) / np.maximum(l, np.float32(1e-30)) * (idx >= 0)
    return p.astype(np.float32), np.where(top <= LOW, -1, idx)
