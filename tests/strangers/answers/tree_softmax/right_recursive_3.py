# Right: recursion over the levels of the tree, np.pad for the ragged tile.
import numpy as np


def _collapse(m, l):
    tiles = m.shape[1]
    if tiles == 1:
        return m, l
    if tiles % 2:
        m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
        l = np.pad(l, ((0, 0), (0, 1)))
    return _collapse(*merge_stats(m[:, 0::2], l[:, 0::2], m[:, 1::2], l[:, 1::2]))


def tree_softmax(x, tile):
    rows, n = x.shape
    missing = -n % tile
    tiles = np.pad(x, ((0, 0), (0, missing)), constant_values=-np.inf).reshape(rows, -1, tile)
    m = tiles.max(axis=2)
    shift = np.where(m == -np.inf, 0, m).astype(x.dtype)
    m, l = _collapse(m, np.exp(tiles - shift[..., None]).sum(axis=2))
    m = np.where(m == -np.inf, 0, m).astype(x.dtype)
    return np.exp(x - m) / np.where(l == 0, 1, l).astype(x.dtype)
