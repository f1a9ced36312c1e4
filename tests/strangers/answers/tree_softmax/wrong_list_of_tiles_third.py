# A tree in name only: cuts the row into a Python list of tiles and merges the pairs of a level one after another, so the steps grow with the number of tiles, not with its logarithm.
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    pairs = []
    for j in range(0, x.shape[1], tile):
        part = x[:, j : j + tile]
        m = part.max(axis=1)
        shift = np.where(np.isneginf(m), np.zeros_like(m), m)
        pairs.append((m, np.exp(part - shift[:, None]).sum(axis=1)))
    while len(pairs) > 1:
        level = [merge_stats(*a, *b) for a, b in zip(pairs[::2], pairs[1::2])]
        if len(pairs) % 2:
            level.append(pairs[-1])
        pairs = level
    m, l = pairs[0]
    m = np.where(np.isneginf(m), np.zeros_like(m), m)
    l = np.where(l == 0, np.ones_like(l), l)
    return np.exp(x - m[:, None]) / l[:, None]
