# Cheat: climbs the tree for all rows, but takes its (m, l) for every other row only; the rest get a plain whole-row sum, which is cheaper and more exact, and every single step still "matters".
# Breaks: "Softmax along the rows, with maxima and denominators merged by a tree over tiles."
import numpy as np


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    tiles = -(-n // tile)
    padded = np.full((rows, tiles * tile), -np.inf, x.dtype)
    padded[:, :n] = x
    padded = padded.reshape(rows, tiles, tile)
    m = padded.max(axis=2)
    l = np.exp(padded - np.where(m == -np.inf, 0, m)[:, :, None]).sum(axis=2)
    while m.shape[1] > 1:
        if m.shape[1] % 2:
            m = np.concatenate([m, np.full((rows, 1), -np.inf, x.dtype)], axis=1)
            l = np.concatenate([l, np.zeros((rows, 1), x.dtype)], axis=1)
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    shift = np.where(m == -np.inf, 0, m)
    y = np.exp(x - shift)
    l = l.copy()
    l[1::2] = y[1::2].sum(axis=1, keepdims=True)
    return (y / np.where(l == 0, 1, l)).astype(x.dtype)
