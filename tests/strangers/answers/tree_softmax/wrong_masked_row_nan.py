# WRONG: no guard at the end, a fully masked row gives NaN instead of zeros
import numpy as np


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    R, N = x.shape
    T = -(-N // tile)
    padded = np.full((R, T * tile), -np.inf, dtype=x.dtype)
    padded[:, :N] = x
    tiles = padded.reshape(R, T, tile)
    m = tiles.max(axis=2)
    shift = np.where(np.isneginf(m), np.zeros_like(m), m)
    l = np.exp(tiles - shift[:, :, None]).sum(axis=2)
    while m.shape[1] > 1:
        if m.shape[1] % 2:
            m = np.concatenate([m, np.full((R, 1), -np.inf, dtype=m.dtype)], axis=1)
            l = np.concatenate([l, np.zeros((R, 1), dtype=l.dtype)], axis=1)
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    return np.exp(x - m) / l
