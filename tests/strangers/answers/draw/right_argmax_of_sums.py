# the first True of sums > u; where there is none, the last slot that is not 0
import numpy as np


def draw(p, index, u):
    above = np.cumsum(p, axis=1) > u[:, None]
    positive = p > 0
    last = (positive * np.arange(1, p.shape[1] + 1)).argmax(axis=1)
    slot = np.where(above.any(axis=1), above.argmax(axis=1), last)
    return np.where(positive.any(axis=1), np.take_along_axis(index, slot[:, None], axis=1)[:, 0], -1)
