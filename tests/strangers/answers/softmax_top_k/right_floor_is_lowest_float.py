# a board of logits joined by a stable argsort; the lowest float in place of 0 where a maximum is -inf
def softmax_top_k(chunks, k):
    board = None
    seen = 0
    for c in chunks:
        r, w = c.shape
        if board is None:
            board = [np.full((r, k), -np.inf, c.dtype), np.full((r, k), -1, np.int64)]
            m, l = np.full((r, 1), -np.inf, c.dtype), np.zeros((r, 1), c.dtype)
        new = np.maximum(m, c.max(1, keepdims=True))
        base = np.maximum(new, np.finfo(c.dtype).min)
        l = l * np.exp(m - base) + np.exp(c - base).sum(1, keepdims=True)
        m = new
        cols = np.where(np.isneginf(c), -1, np.arange(seen, seen + w))
        seen += w
        logits, cols = np.hstack([board[0], c]), np.hstack([board[1], cols])
        order = np.argsort(-logits, axis=1, kind="stable")[:, :k]
        board = [np.take_along_axis(a, order, 1) for a in (logits, cols)]
    base = np.maximum(m, np.finfo(np.float32).min)
    return np.exp(board[0] - base) / np.maximum(l, np.finfo(np.float32).tiny), board[1]
