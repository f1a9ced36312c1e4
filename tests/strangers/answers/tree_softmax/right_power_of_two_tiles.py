# rounds the number of tiles up to a power of two with masked tiles and reshapes to pairs on every level
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    R, N = x.shape
    T = -(-N // tile)
    levels = (T - 1).bit_length()
    padded = np.full((R, 2**levels * tile), -np.inf, dtype=x.dtype)
    padded[:, :N] = x
    padded = padded.reshape(R, 2**levels, tile)

    def reference(m):
        return np.where(m > -np.inf, m, 0).astype(x.dtype)

    m = padded.max(axis=-1)
    l = np.exp(padded - reference(m)[..., None]).sum(axis=-1)
    for _ in range(levels):
        m, l = m.reshape(R, -1, 2), l.reshape(R, -1, 2)
        m, l = merge_stats(m[..., 0], l[..., 0], m[..., 1], l[..., 1])
    e = np.exp(x - reference(m))
    return e / np.where(l > 0, l, 1).astype(x.dtype)
