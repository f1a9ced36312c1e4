# Right: the tiles are filled up to a power of two once, and the left half meets the right half.
import numpy as np


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    n_tiles = (n + tile - 1) // tile
    width = 1 << (n_tiles - 1).bit_length()
    board = np.full((rows, n_tiles * tile), -np.inf, dtype=x.dtype)
    board[:, :n] = x
    board = board.reshape(rows, n_tiles, tile)
    m = np.full((rows, width), -np.inf, dtype=x.dtype)
    l = np.zeros((rows, width), dtype=x.dtype)
    m[:, :n_tiles] = board.max(axis=-1)
    base = np.where(np.isneginf(m[:, :n_tiles]), np.float32(0), m[:, :n_tiles])
    l[:, :n_tiles] = np.exp(board - base[:, :, None]).sum(axis=-1)
    while width > 1:
        width //= 2
        m, l = merge_stats(m[:, :width], l[:, :width], m[:, width:], l[:, width:])
    seen = l > 0
    y = np.exp(x - np.where(seen, m, np.float32(0)))
    return np.divide(y, l, out=np.zeros_like(x), where=seen)
