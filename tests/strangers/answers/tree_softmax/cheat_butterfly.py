# BREAKS: "all tiles at once, then all pairs of a level at once"
# COSTS: every level merges all T tiles with all T, so T log T merges instead of T - 1, and never fewer numbers in memory
from collections.abc import Iterable
import numpy as np


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    t = 1
    while t * tile < n:
        t *= 2
    padded = np.full((rows, t * tile), -np.inf, x.dtype)
    padded[:, :n] = x
    tiles = padded.reshape(rows, t, tile)
    m = tiles.max(axis=-1)
    l = np.exp(tiles - np.where(np.isneginf(m), 0, m)[..., None]).sum(axis=-1)
    apart = 1
    while apart < t:
        m, l = merge_stats(m, l, np.roll(m, apart, axis=1), np.roll(l, apart, axis=1))
        apart *= 2
    m, l = m[:, :1], l[:, :1]
    y = np.exp(x - np.where(np.isneginf(m), 0, m)) / np.where(l == 0, 1, l)
    return y.astype(x.dtype)
