# right: fills up to a power of two of tiles at once, merges neighbours by a reshape to (R, pairs, 2)
def tree_softmax(x, tile):
    rows, columns = x.shape
    count = 1
    while count * tile < columns:
        count *= 2
    wide = np.full((rows, count * tile), -np.inf, dtype=x.dtype)
    wide[:, :columns] = x
    wide = wide.reshape(rows, count, tile)
    m = np.amax(wide, axis=-1)
    l = np.exp(wide - np.where(m == -np.inf, x.dtype.type(0), m)[..., None]).sum(axis=-1)
    while count > 1:
        count //= 2
        a, b = m.reshape(rows, count, 2), l.reshape(rows, count, 2)
        m, l = merge_stats(a[..., 0], b[..., 0], a[..., 1], b[..., 1])
    masked = m == -np.inf
    weights = np.exp(x - np.where(masked, x.dtype.type(0), m))
    return weights / np.where(masked, x.dtype.type(1), l)
