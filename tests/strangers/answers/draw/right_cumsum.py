# style: cumulative sums, argmax of booleans, np.where
import numpy as np


def draw(p, index, u):
    above = np.cumsum(p, axis=1, dtype=np.float64) > u[:, None]
    last = p.shape[1] - 1 - np.argmax((p > 0)[:, ::-1], axis=1)
    slot = np.where(above.any(axis=1), above.argmax(axis=1), last)
    token = np.take_along_axis(index, slot[:, None], axis=1)[:, 0]
    return np.where((p > 0).any(axis=1), token, -1).astype(np.int64)
