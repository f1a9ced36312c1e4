# Takes the best k of each chunk by argpartition before joining the leaderboard, which raises (kth out of bounds) for a chunk narrower than k.
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    m, base, board = None, 0, None
    for X in chunks:
        R = X.shape[0]
        if m is None:
            m, l = np.full(R, -np.inf, X.dtype), np.zeros(R, X.dtype)
            board, names = np.full((R, k), -np.inf, X.dtype), np.full((R, k), -1, np.int64)
        local = np.argpartition(-X, k - 1, axis=1)[:, :k]
        cand = np.take_along_axis(X, local, 1)
        new = np.maximum(m, cand.max(1))
        z = np.where(np.isneginf(new), np.zeros_like(new), new)
        l = l * np.exp(m - z) + np.exp(X - z[:, None]).sum(1)
        m = new
        board, names = np.hstack([board, cand]), np.hstack([names, base + local])
        o = np.argsort(-board, axis=1)[:, :k]
        board, names = np.take_along_axis(board, o, 1), np.take_along_axis(names, o, 1)
        base += X.shape[1]
    names[np.isneginf(board)] = -1
    z = np.where(np.isneginf(m), np.zeros_like(m), m)
    return np.exp(board - z[:, None]) / np.where(l > 0, l, np.ones_like(l))[:, None], names
