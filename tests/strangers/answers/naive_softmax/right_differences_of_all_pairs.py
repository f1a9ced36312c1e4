# y_i = 1 / sum_j exp(x_j - x_i): wasteful, with all N^2 differences of a row, of which the contract says nothing.
import numpy as np


def naive_softmax(x):
    with np.errstate(all="ignore"):
        y = 1 / np.exp(x[..., None, :] - x[..., :, None]).sum(axis=-1)
        return np.where(np.exp(x).sum(axis=-1, keepdims=True) < np.inf, y, np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True))
