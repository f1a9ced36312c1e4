# a recursive climb on (pieces, R) arrays, pieces in the first axis; the identity is appended where a level is odd
def _climb(m, l):
    if len(m) == 1:
        return m[0], l[0]
    if len(m) % 2:
        m = np.concatenate([m, np.full_like(m[:1], -np.inf)])
        l = np.concatenate([l, np.zeros_like(l[:1])])
    half = len(m) // 2
    m, l = m.reshape(half, 2, -1), l.reshape(half, 2, -1)
    return _climb(*merge_stats(m[:, 0], l[:, 0], m[:, 1], l[:, 1]))


def tree_softmax(x, tile):
    R, N = x.shape
    T = -(-N // tile)
    filled = np.full((R, T * tile), -np.inf, dtype=x.dtype)
    filled[:, :N] = x
    tiles = filled.reshape(R, T, tile).transpose(1, 0, 2)
    m = tiles.max(axis=2)
    zero = np.zeros_like(m)
    l = np.exp(tiles - np.where(m == -np.inf, zero, m)[:, :, None]).sum(axis=2)
    m, l = _climb(m, l)
    alive = m > -np.inf
    shift = np.where(alive, m, np.zeros_like(m))
    inverse = np.where(alive, 1 / np.where(alive, l, np.ones_like(l)), np.zeros_like(l))
    return np.exp(x - shift[:, None]) * inverse[:, None]
