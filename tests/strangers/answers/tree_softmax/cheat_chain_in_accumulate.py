# steps: the tiles are merged one after another, by itertools.accumulate and a ufunc made of merge_stats, whose lines are the course's
import numpy as np
from itertools import accumulate

CHAIN = np.frompyfunc(lambda a, b: merge_stats(a[0], a[1], b[0], b[1]), 2, 1)


def tree_softmax(x, tile):
    rows, n = x.shape
    pad = -n % tile
    t = np.concatenate([x, np.full((rows, pad), -np.inf, x.dtype)], 1).reshape(rows, -1, tile)
    m = t.max(2)
    l = np.exp(t - np.where(m == -np.inf, 0, m).astype(x.dtype)[:, :, None]).sum(2)
    pieces = np.empty(m.shape[1], object)
    for_all = [pieces.__setitem__(i, (m[:, i], l[:, i])) for i in range(m.shape[1])]
    m, l = CHAIN.reduce(pieces) if len(pieces) > 1 else (m[:, 0], l[:, 0])
    m, l = np.asarray(m)[:, None], np.asarray(l)[:, None]
    return np.exp(x - np.where(m == -np.inf, 0, m).astype(x.dtype)) / np.where(l == 0, 1, l).astype(x.dtype)
