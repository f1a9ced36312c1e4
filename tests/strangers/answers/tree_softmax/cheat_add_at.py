# Cheat: np.maximum.at and np.add.at run through the tiles one after another into two running halves, and merge_stats merges only these two
# Breaks: "Steps: O(log T) for T = ceil(N / tile) tiles: all tiles at once, then all pairs of a level at once; nothing goes through them one by one, as `map` does, or a running sum."
import numpy as np


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    tiles = max(-(-n // tile), 1)
    padded = np.full((rows, tiles * tile), -np.inf, dtype=x.dtype)
    padded[:, :n] = x
    parts = padded.reshape(rows, tiles, tile)
    maxima = parts.max(axis=2)
    safe = np.where(maxima == -np.inf, np.float32(0), maxima)
    sums = np.exp(parts - safe[:, :, None]).sum(axis=2)
    half = np.arange(tiles) % 2
    m = np.full((2, rows), -np.inf, dtype=x.dtype)
    np.maximum.at(m, half, maxima.T)
    base = np.where(m == -np.inf, np.float32(0), m)
    l = np.zeros((2, rows), dtype=x.dtype)
    np.add.at(l, half, sums.T * np.exp(maxima.T - base[half]))
    m, l = merge_stats(m[0], l[0], m[1], l[1])
    base = np.where(m == -np.inf, np.float32(0), m)[:, None]
    return np.exp(x - base) / np.where(l == 0, np.float32(1), l)[:, None]
