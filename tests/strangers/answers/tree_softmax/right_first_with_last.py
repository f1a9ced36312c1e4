# pairs the first tile of a level with its last, and so on inwards; an odd one is merged with the identity
import numpy as np


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    tiles = -(-n // tile)
    padded = np.full((rows, tiles * tile), -np.inf, x.dtype)
    padded[:, :n] = x
    padded = padded.reshape(rows, tiles, tile)

    m = padded.max(axis=2)
    tile_shift = np.where(np.isneginf(m), 0, m)
    l = np.exp(padded - tile_shift[:, :, None]).sum(axis=2)

    while m.shape[1] > 1:
        if m.shape[1] % 2:  # the odd one out is merged with the identity
            m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
            l = np.pad(l, ((0, 0), (0, 1)), constant_values=0)
        h = m.shape[1] // 2
        m, l = merge_stats(m[:, :h], l[:, :h], m[:, : h - 1 : -1], l[:, : h - 1 : -1])

    shift = np.where(np.isneginf(m), 0, m)  # (R, 1), like l
    return np.exp(x - shift) / np.where(l == 0, 1, l)
