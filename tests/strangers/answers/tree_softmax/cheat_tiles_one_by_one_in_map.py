# steps ('O(log T): all tiles at once'): lines are counted, and calls into Python of libraries: map over a list of tiles calls a ufunc's method, which is C; maxima and sums are taken tile after tile, in T R rounds
import numpy as np


def tree_softmax(x, tile):
    rows, n = x.shape
    tiles = -(-n // tile)
    padded = np.full((rows, tiles * tile), -np.inf, x.dtype)
    padded[:, :n] = x
    m = np.array(list(map(np.maximum.reduce, list(padded.reshape(-1, tile))))).reshape(rows, tiles)
    shift = np.where(np.isneginf(m), 0, m)
    p = np.exp(padded.reshape(rows, tiles, tile) - shift[:, :, None])
    l = np.array(list(map(np.add.reduce, list(p.reshape(-1, tile))))).reshape(rows, tiles)
    while m.shape[1] > 1:
        if m.shape[1] % 2:
            m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
            l = np.pad(l, ((0, 0), (0, 1)), constant_values=0)
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    shift = np.where(np.isneginf(m), 0, m)
    return np.exp(x - shift) / np.where(l == 0, 1, l)
