# pads the columns, reduces all tiles at once and merges neighbours with merge_stats, identity on odd levels
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    pad = -n % tile
    tiles = np.pad(x, ((0, 0), (0, pad)), constant_values=-np.inf).reshape(rows, -1, tile)
    m = tiles.max(axis=2)
    ref = np.where(np.isneginf(m), 0, m).astype(x.dtype)
    l = np.exp(tiles - ref[:, :, None]).sum(axis=2)
    while m.shape[1] > 1:
        if m.shape[1] % 2:
            m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
            l = np.pad(l, ((0, 0), (0, 1)))
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    ref = np.where(np.isneginf(m), 0, m).astype(x.dtype)
    e = np.exp(x - ref)
    return np.divide(e, l, out=np.zeros_like(x), where=l > 0)
