# as all-reduce does on any number of ranks: those beyond a power of two are folded into the first, then halves meet
import numpy as np


def tree_softmax(x, tile):
    rows, n = x.shape
    tiles = -(-n // tile)
    power = 1 << (tiles.bit_length() - 1)
    padded = np.pad(x, ((0, 0), (0, tiles * tile - n)), constant_values=-np.inf).reshape(rows, tiles, tile)
    m = padded.max(-1)
    l = np.exp(padded - np.where(m == -np.inf, 0, m)[..., None]).sum(-1)
    if surplus := tiles - power:
        m[:, :surplus], l[:, :surplus] = merge_stats(m[:, :surplus], l[:, :surplus], m[:, power:], l[:, power:])
    while power > 1:
        power //= 2
        m, l = merge_stats(m[:, :power], l[:, :power], m[:, power : 2 * power], l[:, power : 2 * power])
    return np.exp(x - np.where(m == -np.inf, 0, m)[:, :1]) / np.where(l == 0, 1, l)[:, :1]
