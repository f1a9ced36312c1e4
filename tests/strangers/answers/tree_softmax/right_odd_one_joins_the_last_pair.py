# halves of a level by slices; a tile that is left over is merged with the last pair in a call of its own
import numpy as np


def tree_softmax(x, tile):
    starts = np.arange(0, x.shape[1], tile)
    m = np.maximum.reduceat(x, starts, axis=1)
    safe = np.where(np.isneginf(m), 0, m)
    l = np.add.reduceat(np.exp(x - np.repeat(safe, tile, axis=1)[:, : x.shape[1]]), starts, axis=1)
    while (count := m.shape[1]) > 1:
        pairs = count // 2 * 2
        top, total = merge_stats(m[:, 0:pairs:2], l[:, 0:pairs:2], m[:, 1:pairs:2], l[:, 1:pairs:2])
        if count > pairs:
            last = merge_stats(top[:, -1:], total[:, -1:], m[:, pairs:], l[:, pairs:])
            top[:, -1:], total[:, -1:] = last
        m, l = top, total
    safe = np.where(np.isneginf(m), 0, m)
    return np.exp(x - safe) / np.where(l == 0, 1, l)
