# The first level is merged in two calls, half of the pairs in each, where the number of tiles is so odd that calls are to spare
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    tiles = -(-n // tile)
    padded = np.full((rows, tiles * tile), -np.inf, x.dtype)
    padded[:, :n] = x
    padded = padded.reshape(rows, tiles, tile)

    m = padded.max(axis=2)
    tile_shift = np.where(np.isneginf(m), 0, m)
    l = np.exp(padded - tile_shift[:, :, None]).sum(axis=2)

    while m.shape[1] > 1:
        if m.shape[1] % 2:  # the odd one out is merged with the identity
            m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
            l = np.pad(l, ((0, 0), (0, 1)), constant_values=0)
        a = m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2]
        half = a[0].shape[1] // 2
        if tiles.bit_count() > 2 and half > 4 and m.shape[1] >= tiles:
            both = [merge_stats(*(x[:, part] for x in a)) for part in (slice(half), slice(half, None))]
            m, l = (np.concatenate(x, axis=1) for x in zip(*both))
        else:
            m, l = merge_stats(*a)

    shift = np.where(np.isneginf(m), 0, m)  # (R, 1), like l
    return np.exp(x - shift) / np.where(l == 0, 1, l)
