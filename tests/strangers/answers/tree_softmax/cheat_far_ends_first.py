# calls: 'all pairs of a level at once' is asked, and a tree's numbers are counted only: the maximum of the whole row is taken first, tiles are summed with it, and the tree only adds sums
import numpy as np


def tree_softmax(x, tile):
    rows, n = x.shape
    tiles = -(-n // tile)
    top = x.max(axis=1, keepdims=True)
    shift = np.where(np.isneginf(top), 0, top)
    padded = np.zeros((rows, tiles * tile), x.dtype)
    padded[:, :n] = np.exp(x - shift)
    l = padded.reshape(rows, tiles, tile).sum(axis=2)
    m = np.broadcast_to(shift, l.shape)
    while m.shape[1] > 1:
        if m.shape[1] % 2:
            m = np.pad(m, ((0, 0), (0, 1)), mode="edge")
            l = np.pad(l, ((0, 0), (0, 1)), constant_values=0)
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    return padded[:, :n] / np.where(l == 0, 1, l)
