# Runs int(log2(T)) levels and then takes column 0: for a tile count that is no power of two (3, 5, 6, 7, ...) the last pairs never reach the root.
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    R, N = x.shape
    T = int(np.ceil(N / tile))
    a = np.full((R, T * tile), -np.inf, dtype=x.dtype)
    a[:, :N] = x
    a = a.reshape(R, T, tile)
    m = a.max(2)
    z = np.where(np.isneginf(m), np.zeros_like(m), m)
    l = np.exp(a - z[..., None]).sum(2)
    for _ in range(int(np.log2(T))):
        if m.shape[1] % 2:
            m = np.hstack([m, np.full((R, 1), -np.inf, x.dtype)])
            l = np.hstack([l, np.zeros((R, 1), x.dtype)])
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    m, l = m[:, :1], l[:, :1]
    safe = np.where(np.isneginf(m), np.zeros_like(m), m)
    return np.exp(x - safe) / np.where(l == 0, np.ones_like(l), l)
