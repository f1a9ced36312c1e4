# Reshape into tiles, even and odd slices per level, an identity column appended on odd levels, division with where.
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    R, N = x.shape
    T = -(-N // tile)
    cells = np.pad(x, ((0, 0), (0, T * tile - N)), constant_values=-np.inf)
    cells = cells.reshape(R, T, tile)
    m = cells.max(axis=2)
    l = np.exp(cells - np.where(m > -np.inf, m, np.zeros_like(m))[:, :, None]).sum(axis=2)
    while T > 1:
        if T % 2:
            m = np.concatenate([m, np.full((R, 1), -np.inf, x.dtype)], axis=1)
            l = np.concatenate([l, np.zeros((R, 1), x.dtype)], axis=1)
        m, l = merge_stats(m[:, 0::2], l[:, 0::2], m[:, 1::2], l[:, 1::2])
        T = m.shape[1]
    e = np.exp(x - np.where(m > -np.inf, m, np.zeros_like(m)))
    return np.divide(e, l, out=np.zeros_like(x), where=l > 0)
