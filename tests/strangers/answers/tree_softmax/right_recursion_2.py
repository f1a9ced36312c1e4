# style: recursion on halves of the list of tiles, padded to a power of two
import numpy as np



def _up(m, l):
    half = m.shape[-1] // 2
    if half == 0:
        return m, l
    return _up(*merge_stats(m[..., 0::2], l[..., 0::2], m[..., 1::2], l[..., 1::2]))


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, cols = x.shape
    tiles = 1 << max(0, (-(-cols // tile) - 1)).bit_length()
    width = tiles * tile - cols
    y = np.pad(x, ((0, 0), (0, width)), constant_values=-np.inf).reshape(rows, tiles, tile)
    m = y.max(-1)
    l = np.exp(y - np.maximum(m, np.finfo(np.float32).min)[..., None]).sum(-1)
    m, l = _up(m, l)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.exp(x - m) / l
    p[np.isneginf(m[:, 0])] = 0
    return p
