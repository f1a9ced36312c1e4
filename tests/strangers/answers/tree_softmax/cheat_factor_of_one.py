# 'calls merge_stats', in numbers and not in name only: it merges halves, (0, 1/2) with (0, 1/2), as many as a tree would; what comes out is a factor of 1 of a softmax that was taken of whole rows at once
import numpy as np



def tree_softmax(x, tile):
    rows, n = x.shape
    tiles = -(-n // tile)
    m = x.max(axis=1, keepdims=True)
    e = np.exp(x - np.where(np.isfinite(m), m, np.float32(0)))
    l = e.sum(axis=1, keepdims=True)
    one = np.float32(1)
    while tiles > 1:
        tiles = (tiles + 1) // 2
        zero = np.zeros((rows, tiles), x.dtype)
        m_all, l_all = merge_stats(zero, zero + np.float32(0.5), zero, zero + np.float32(0.5))
        one = one * (l_all * np.exp(m_all))[:, :1]
    return e / np.where(l > 0, l, np.float32(1)) * one
