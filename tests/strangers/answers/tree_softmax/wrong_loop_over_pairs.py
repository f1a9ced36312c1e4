# levels double their stride, but the pairs of a level are merged one at a time in Python, so the steps grow with the number of tiles
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    count = -(-n // tile)
    z = np.full((rows, count * tile), -np.inf, x.dtype)
    z[:, :n] = x
    z = z.reshape(rows, count, tile)
    m = z.max(axis=2)
    l = np.exp(z - np.where(np.isneginf(m), 0, m).astype(x.dtype)[..., None]).sum(axis=2)
    stride = 1
    while stride < count:
        for i in range(0, count - stride, 2 * stride):
            m[:, i], l[:, i] = merge_stats(m[:, i], l[:, i], m[:, i + stride], l[:, i + stride])
        stride *= 2
    top = np.where(np.isneginf(m[:, :1]), 0, m[:, :1]).astype(x.dtype)
    return np.exp(x - top) / np.where(l[:, :1] > 0, l[:, :1], 1).astype(x.dtype)
