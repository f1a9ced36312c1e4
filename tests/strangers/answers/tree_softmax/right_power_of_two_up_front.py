# Pads the number of tiles to a power of two at once and climbs by recursion over levels; the output is made in place.
def tree_softmax(x, tile):
    rows, cols = x.shape
    tiles = -(-cols // tile)
    width = 1 << (tiles - 1).bit_length()
    m = np.full((rows, width), -np.inf, dtype=np.float32)
    l = np.zeros((rows, width), dtype=np.float32)
    padded = np.full((rows, tiles, tile), -np.inf, dtype=np.float32)
    padded.reshape(rows, tiles * tile)[:, :cols] = x
    m[:, :tiles] = padded.max(axis=2)
    unit = np.where(m[:, :tiles] == -np.inf, np.float32(0), m[:, :tiles])
    l[:, :tiles] = np.exp(padded - unit[:, :, None]).sum(axis=2)

    def climb(m, l):
        if m.shape[1] == 1:
            return m, l
        pairs_m, pairs_l = m.reshape(rows, -1, 2), l.reshape(rows, -1, 2)
        return climb(*merge_stats(pairs_m[..., 0], pairs_l[..., 0], pairs_m[..., 1], pairs_l[..., 1]))

    top, total = climb(m, l)
    y = np.zeros_like(x)
    sees = top[:, 0] > -np.inf
    y[sees] = np.exp(x[sees] - top[sees]) / total[sees]
    return y
