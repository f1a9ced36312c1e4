# recursion over the levels of the tree, helper functions, reshape of pairs
import numpy as np

EMPTY = {"m": -np.inf, "l": 0.0}


def even(a, filler):
    if a.shape[-1] % 2 == 0:
        return a
    return np.concatenate([a, np.full_like(a[..., :1], filler)], axis=-1)


def climb(m, l):
    if m.shape[-1] <= 1:
        return m, l
    m, l = even(m, EMPTY["m"]), even(l, EMPTY["l"])
    pairs = lambda a: np.moveaxis(a.reshape(a.shape[0], -1, 2), -1, 0)
    (ma, mb), (la, lb) = pairs(m), pairs(l)
    return climb(*merge_stats(ma, la, mb, lb))


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    tiles = -(-n // tile)
    padded = np.full((rows, tiles * tile), -np.inf, dtype=x.dtype)
    padded[:, :n] = x
    padded = padded.reshape(rows, tiles, tile)
    m = padded.max(axis=2)
    safe = np.where(np.isneginf(m), np.float32(0), m)
    l = np.exp(padded - safe[..., None]).sum(axis=2)
    m, l = climb(m, l)
    m = np.where(np.isneginf(m), np.float32(0), m)
    l = np.where(l == 0, np.float32(1), l)
    return np.exp(x - m) / l
