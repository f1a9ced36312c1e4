# Merges the first half of a level with the second and leaves out the last pair of an odd level, so tiles are lost whenever their number is not a power of two.
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    R, N = x.shape
    T = (N + tile - 1) // tile
    padded = np.pad(x, ((0, 0), (0, T * tile - N)), constant_values=-np.inf).reshape(R, T, tile)
    m = padded.max(axis=-1)
    base = np.where(np.isneginf(m), np.float32(0), m)
    l = np.exp(padded - base[..., None]).sum(axis=-1)
    while m.shape[1] > 1:
        half = m.shape[1] // 2
        m, l = merge_stats(
            m[:, :half], l[:, :half], m[:, half : 2 * half], l[:, half : 2 * half]
        )
    base = np.where(np.isneginf(m), np.float32(0), m)
    l = np.where(l > 0, l, np.float32(1))
    return np.exp(x - base) / l
