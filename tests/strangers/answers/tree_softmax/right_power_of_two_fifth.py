# right: the pairs of the tiles lie in arrays padded once with the identity to a power of two; then exactly log2 halvings, and a product with the reciprocal
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    tiles = -(-n // tile)
    leaves = 1 << (tiles - 1).bit_length()

    scores = np.full((rows, tiles * tile), -np.inf, dtype=x.dtype)
    scores[:, :n] = x
    scores = scores.reshape(rows, tiles, tile)

    m = np.full((rows, leaves), -np.inf, dtype=x.dtype)
    l = np.zeros((rows, leaves), dtype=x.dtype)
    m[:, :tiles] = scores.max(axis=2)
    base = np.where(np.isneginf(m), np.zeros_like(m), m)[:, :tiles]
    l[:, :tiles] = np.exp(scores - base[:, :, None]).sum(axis=2)

    for _ in range(leaves.bit_length() - 1):
        m, l = merge_stats(m[:, 0::2], l[:, 0::2], m[:, 1::2], l[:, 1::2])

    empty = np.isneginf(m)
    weight = np.divide(1, l, out=np.zeros_like(l), where=~empty)
    return weight * np.exp(x - np.where(empty, np.zeros_like(m), m))
