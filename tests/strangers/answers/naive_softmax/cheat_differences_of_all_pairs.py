# "exactly as the formula is written" has no meter: y_i = 1 / sum_j exp(x_j - x_i), N^2 exponentials of a row and a matrix N x N of differences, in place of N of each
import numpy as np


def naive_softmax(x):
    with np.errstate(all="ignore"):
        y = 1 / np.exp(x[..., None, :] - x[..., :, None]).sum(axis=-1)
        return np.where(np.exp(x).sum(axis=-1, keepdims=True) < np.inf, y, np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True))
