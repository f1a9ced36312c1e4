# Right: sliding_window_view over a padded copy, np.pad, odd levels carried with a slice, bit_length loop
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def merge_stats(m1, l1, m2, l2):
    m = np.maximum(m1, m2)
    s = np.where(m == -np.inf, 0, m).astype(m1.dtype)
    return m, l1 * np.exp(m1 - s) + l2 * np.exp(m2 - s)


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    R, N = x.shape
    T = -(-N // tile)
    leaves = 1 << (T - 1).bit_length()
    padded = np.pad(x, ((0, 0), (0, T * tile - N)), constant_values=-np.inf)
    tiles = sliding_window_view(padded, tile, axis=1)[:, ::tile]  # (R, T, tile), a view
    m = tiles.max(axis=2)
    safe = np.where(m == -np.inf, 0, m).astype(x.dtype)
    l = np.exp(tiles - safe[..., None]).sum(axis=2)
    gap = ((0, 0), (0, leaves - T))
    m, l = np.pad(m, gap, constant_values=-np.inf), np.pad(l, gap)
    for _ in range((T - 1).bit_length()):
        m, l = merge_stats(m[:, 0::2], l[:, 0::2], m[:, 1::2], l[:, 1::2])
    assert m.shape == l.shape == (R, 1)
    safe = np.where(m == -np.inf, 0, m).astype(x.dtype)
    y = np.exp(x - safe)
    return np.divide(y, l, out=np.zeros_like(y), where=l != 0)
