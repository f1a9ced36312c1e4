# steps and calls are bounded by the tiles' levels, with room for more: `tile` is not looked at; every column is a tile of its own, so that 'all tiles at once' takes nothing and the merges do all
import numpy as np


def tree_softmax(x, tile):
    m, l = x, np.where(np.isneginf(x), 0, 1).astype(x.dtype)
    while m.shape[1] > 1 or tile < 0:
        if m.shape[1] % 2:
            m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
            l = np.pad(l, ((0, 0), (0, 1)), constant_values=0)
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    shift = np.where(np.isneginf(m), 0, m)
    return np.exp(x - shift) / np.where(l == 0, 1, l)
