# tiles found with reduceat, without padding; on a level with an odd number the last pair goes up unmerged
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    m = np.maximum.reduceat(x, np.arange(0, x.shape[1], tile), axis=1)
    ref = np.where(np.isneginf(m), 0, m).astype(x.dtype)
    terms = np.exp(x - np.repeat(ref, tile, axis=1)[:, : x.shape[1]])
    l = np.add.reduceat(terms, np.arange(0, x.shape[1], tile), axis=1)

    def climb(m, l):
        t = m.shape[1]
        if t == 1:
            return m, l
        even = t - t % 2
        a, b = slice(0, even, 2), slice(1, even, 2)
        top, both = merge_stats(m[:, a], l[:, a], m[:, b], l[:, b])
        return climb(np.hstack([top, m[:, even:]]), np.hstack([both, l[:, even:]]))

    m, l = climb(m, l)
    seen = l[:, 0] > 0
    y = np.zeros_like(x)
    y[seen] = np.exp(x[seen] - m[seen]) / l[seen]
    return y
