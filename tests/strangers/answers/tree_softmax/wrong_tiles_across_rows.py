# pads the flattened matrix instead of each row, then gives every row the same number of tiles; with several rows and a ragged tile the tiles straddle rows
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    R, N = x.shape
    T = -(-N // tile)
    flat = np.full(R * T * tile, -np.inf, dtype=x.dtype)
    flat[: x.size] = x.ravel()
    tiles = flat.reshape(R, T, tile)
    m = tiles.max(axis=2)
    l = np.exp(tiles - np.where(np.isneginf(m), 0, m).astype(x.dtype)[..., None]).sum(axis=2)
    while m.shape[1] > 1:
        if m.shape[1] % 2 == 1:
            m = np.c_[m, np.full(R, -np.inf, dtype=x.dtype)]
            l = np.c_[l, np.zeros(R, dtype=x.dtype)]
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    y = np.exp(x - np.where(np.isneginf(m), 0, m).astype(x.dtype))
    return y / np.where(l > 0, l, 1).astype(x.dtype)
