# Wrong: where rounding leaves none, takes the last slot, whose probability may be 0 and whose token -1.
# Breaks: "where rounding leaves none, that in the last slot with p > 0."
import numpy as np


def draw(p, index, u):
    above = np.cumsum(p, axis=1) > u[:, None]
    slot = np.where(above.any(axis=1), above.argmax(axis=1), p.shape[1] - 1)
    token = index[np.arange(len(p)), slot]
    return np.where(p.sum(axis=1) == 0, -1, token)
