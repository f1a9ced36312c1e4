# right: reduceat finds the tiles' maxima and sums, ragged tile included, and the identity fills odd levels.
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    R, N = x.shape
    if x.size == 0:
        return x.copy()
    starts = np.arange(0, N, tile)
    widths = np.diff(np.append(starts, N))
    finite = lambda a: np.where(np.isneginf(a), np.zeros_like(a), a)
    m = np.maximum.reduceat(x, starts, axis=1)
    e = np.exp(x - np.repeat(finite(m), widths, axis=1))
    l = np.add.reduceat(e, starts, axis=1, dtype=np.float64).astype(x.dtype)
    while m.shape[1] > 1:
        if m.shape[1] & 1:
            m = np.hstack([m, np.full((R, 1), -np.inf, m.dtype)])
            l = np.hstack([l, np.zeros((R, 1), l.dtype)])
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    y = np.exp(x - finite(m))
    np.divide(y, l, out=y, where=l > 0)  # a masked row is zeros already
    return y
