# Wrong: takes the first slot whose sum is at least u, so that u = 0 draws a first slot with probability 0.
# Breaks: "the token in the first slot j with p_0 + ... + p_j > u".
import numpy as np


def draw(p, index, u):
    sums = np.cumsum(p, axis=1)
    slot = (sums < u[:, None]).sum(axis=1)
    k = p.shape[1]
    last = k - 1 - np.argmax(p[:, ::-1] > 0, axis=1)
    slot = np.minimum(slot, last)
    token = np.take_along_axis(index, slot[:, None], axis=1)[:, 0]
    return np.where((p > 0).any(axis=1), token, -1)
