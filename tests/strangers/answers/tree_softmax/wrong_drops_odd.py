# With an odd number of tiles on a level below the first, the last one is dropped by the slices.
import numpy as np


def merge_stats(m1, l1, m2, l2):
    m = np.maximum(m1, m2)
    base = np.where(m == -np.inf, np.zeros_like(m), m)
    return m, l1 * np.exp(m1 - base) + l2 * np.exp(m2 - base)


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    tiles = -(-n // tile)
    tiles += tiles % 2 if tiles > 1 else 0
    padded = np.pad(x, ((0, 0), (0, tiles * tile - n)), constant_values=-np.inf)
    cut = padded.reshape(rows, tiles, tile)
    m = cut.max(axis=2)
    l = np.exp(cut - np.where(m == -np.inf, 0, m)[:, :, None]).sum(axis=2)
    while m.shape[1] > 1:
        half = m.shape[1] // 2
        m, l = merge_stats(
            m[:, 0 : 2 * half : 2], l[:, 0 : 2 * half : 2], m[:, 1 : 2 * half : 2], l[:, 1 : 2 * half : 2]
        )
    base = np.where(m == -np.inf, 0, m).astype(x.dtype)
    return np.exp(x - base) / np.where(l == 0, 1, l).astype(x.dtype)
