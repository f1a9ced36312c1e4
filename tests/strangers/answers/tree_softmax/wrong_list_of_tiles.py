# Builds a Python list of tiles and merges neighbours in a list comprehension: correct numbers, but the lines executed grow with the number of tiles T.
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    nodes = []
    for j in range(0, x.shape[1], tile):
        part = x[:, j : j + tile]
        m = part.max(axis=1)
        c = np.where(np.isneginf(m), np.zeros_like(m), m)
        nodes.append((m, np.exp(part - c[:, None]).sum(axis=1)))
    while len(nodes) > 1:
        paired = []
        for i in range(0, len(nodes) - 1, 2):
            paired.append(merge_stats(*nodes[i], *nodes[i + 1]))
        if len(nodes) % 2:
            paired.append(nodes[-1])
        nodes = paired
    m, l = nodes[0]
    c = np.where(np.isneginf(m), np.zeros_like(m), m)
    return np.exp(x - c[:, None]) / np.where(l > 0, l, np.ones_like(l))[:, None]
