# The tree merges the first half of the tiles with the second half instead of neighbours.
import numpy as np


def merge_stats(m1, l1, m2, l2):
    m = np.maximum(m1, m2)
    base = np.where(m == -np.inf, np.zeros_like(m), m)
    return m, l1 * np.exp(m1 - base) + l2 * np.exp(m2 - base)


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    tiles = max(1, -(-n // tile))
    size = 1 << (tiles - 1).bit_length()
    padded = np.full((rows, tiles * tile), -np.inf, x.dtype)
    padded[:, :n] = x
    cut = padded.reshape(rows, tiles, tile)
    m = np.full((rows, size), -np.inf, x.dtype)
    l = np.zeros((rows, size), x.dtype)
    m[:, :tiles] = cut.max(axis=2)
    safe = np.where(np.isneginf(m[:, :tiles]), np.float32(0), m[:, :tiles])
    l[:, :tiles] = np.exp(cut - safe[:, :, None]).sum(axis=2)
    while size > 1:
        size //= 2
        m, l = merge_stats(m[:, :size], l[:, :size], m[:, size:], l[:, size:])
    base = np.where(np.isneginf(m), np.float32(0), m)
    return np.exp(x - base) / np.where(l == 0, np.float32(1), l)
