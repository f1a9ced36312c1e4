# what makes a tile: how many pairs are merged is counted, not of which columns: a tile is no `tile` neighbours, of which the last is padded, but every T-th column of the row, which one reshape gives without a tile being looked at
import numpy as np


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    tiles = -(-n // tile)
    padded = np.full((rows, tile * tiles), -np.inf, x.dtype)
    padded[:, :n] = x
    padded = padded.reshape(rows, tile, tiles)
    m = padded.max(axis=1)
    l = np.exp(padded - np.where(np.isneginf(m), 0, m)[:, None]).sum(axis=1)
    while m.shape[1] > 1:
        if m.shape[1] % 2:
            m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
            l = np.pad(l, ((0, 0), (0, 1)), constant_values=0)
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    shift = np.where(np.isneginf(m), 0, m)
    return np.exp(x - shift) / np.where(l == 0, 1, l)
