# style: recursion over levels, np.pad
import numpy as np


def _reduce_level(m: np.ndarray, l: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(R, T) -> (R,): pairs of neighbours merged, all at once, until one is left."""
    tiles = m.shape[1]
    if tiles == 1:
        return m[:, 0], l[:, 0]
    if tiles % 2:
        m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
        l = np.pad(l, ((0, 0), (0, 1)), constant_values=0)
    return _reduce_level(*merge_stats(m[:, 0::2], l[:, 0::2], m[:, 1::2], l[:, 1::2]))


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, cols = x.shape
    count = -(-cols // tile)
    padded = np.pad(x, ((0, 0), (0, count * tile - cols)), constant_values=-np.inf)
    padded = padded.reshape(rows, count, tile)
    m = padded.max(axis=2)
    base = np.where(np.isneginf(m), np.float32(0), m)
    l = np.exp(padded - base[:, :, None]).sum(axis=2)
    m, l = _reduce_level(m, l)
    m = np.where(np.isneginf(m), np.float32(0), m)
    l = np.where(l == 0, np.float32(1), l)
    return (np.exp(x - m[:, None]) / l[:, None]).astype(x.dtype, copy=False)
