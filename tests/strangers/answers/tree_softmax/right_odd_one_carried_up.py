# An odd pair at the end of a level is carried up unchanged by concatenation; empty rows are left out of the division.
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    count = (n + tile - 1) // tile
    padded = np.full((rows, count * tile), -np.inf, dtype=x.dtype)
    padded[:, :n] = x
    tiles = padded.reshape(rows, count, tile)
    m = tiles.max(axis=2)
    base = np.where(np.isneginf(m), np.zeros_like(m), m)
    l = np.exp(tiles - base[:, :, None]).sum(axis=2)
    while m.shape[1] > 1:
        even = m.shape[1] - m.shape[1] % 2
        left, right = slice(0, even, 2), slice(1, even, 2)
        up_m, up_l = merge_stats(m[:, left], l[:, left], m[:, right], l[:, right])
        m = np.concatenate([up_m, m[:, even:]], axis=1)
        l = np.concatenate([up_l, l[:, even:]], axis=1)
    seen = l > 0
    y = np.exp(x - np.where(seen, m, np.zeros_like(m)))
    return np.divide(y, l, out=np.zeros_like(y), where=seen)
