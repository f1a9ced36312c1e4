# Pairs the first with the second half of a level, carries an odd tile along.
import numpy as np
from collections.abc import Iterable


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    pad = -n % tile
    tiles = np.concatenate([x, np.full((rows, pad), -np.inf, x.dtype)], 1).reshape(rows, -1, tile)
    m = tiles.max(axis=2)
    shift = np.where(np.isneginf(m), 0, m).astype(x.dtype)
    l = np.exp(tiles - shift[:, :, None]).sum(axis=2)
    while (t := m.shape[1]) > 1:
        h = t // 2
        a, b = merge_stats(m[:, :2 * h:2], l[:, :2 * h:2], m[:, 1:2 * h:2], l[:, 1:2 * h:2])
        m, l = np.hstack([a, m[:, 2 * h:]]), np.hstack([b, l[:, 2 * h:]])
    y = np.zeros_like(x)
    seen = l[:, 0] > 0
    y[seen] = np.exp(x[seen] - m[seen]) / l[seen]
    return y
