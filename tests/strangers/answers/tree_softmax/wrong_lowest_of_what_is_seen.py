# Sets the shift of masked rows to the lowest unmasked score of the whole table: a table without any has none.
def tree_softmax(x, tile):
    R, N = x.shape
    T = -(-N // tile)
    xp = np.full((R, T * tile), -np.inf, x.dtype)
    xp[:, :N] = x
    low = xp[xp > -np.inf].min()
    t = xp.reshape(R, T, tile)
    m = t.max(2)
    s = np.exp(t - np.maximum(m, low)[:, :, None])
    l = s.sum(2)
    while m.shape[1] > 1:
        odd = m.shape[1] & 1
        lm, ll = m[:, : m.shape[1] - odd], l[:, : m.shape[1] - odd]
        a, b = merge_stats(lm[:, 0::2], ll[:, 0::2], lm[:, 1::2], ll[:, 1::2])
        m = np.concatenate([a, m[:, m.shape[1] - odd :]], 1)
        l = np.concatenate([b, l[:, l.shape[1] - odd :]], 1)
    return np.exp(x - np.maximum(m, low)) / np.where(l > 0, l, 1)
