# calls: merge_stats is given maxima that are not maxima of tiles but these, rounded up to whole numbers; a tile's maximum is never merged
import numpy as np


def tree_softmax(x, tile):
    rows, n = x.shape
    tiles = -(-n // tile)
    padded = np.full((rows, tiles * tile), -np.inf, x.dtype)
    padded[:, :n] = x
    padded = padded.reshape(rows, tiles, tile)
    m = np.ceil(padded.max(axis=2))
    shift = np.where(np.isneginf(m), 0, m)
    l = np.exp(padded - shift[:, :, None]).sum(axis=2)
    while m.shape[1] > 1:
        if m.shape[1] % 2:
            m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
            l = np.pad(l, ((0, 0), (0, 1)), constant_values=0)
        half = m.shape[1] // 2
        m, l = merge_stats(m[:, :half], l[:, :half], m[:, half:], l[:, half:])
    shift = np.where(np.isneginf(m), 0, m)
    return np.exp(x - shift) / np.where(l == 0, 1, l)
