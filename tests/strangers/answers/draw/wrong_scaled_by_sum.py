# u is scaled by the sum instead of the case of rounding being handled, and a row of zeros divides; wrong in masked-rows
import numpy as np


def draw(p, index, u):
    sums = np.cumsum(p, axis=1)
    slot = (sums <= u[:, None] * sums[:, -1:]).sum(axis=1)
    return index[np.arange(len(p)), np.minimum(slot, p.shape[1] - 1)]
