# The shift is a multiple of 32 near the maximum, which does as well, and powers are taken of halves and squared.
import numpy as np


def safe_softmax(x):
    top = x.max(axis=-1, keepdims=True)
    near = np.where(np.abs(top) < 1e6, np.ceil(top / 32) * 32, top)
    shift = np.where(np.isneginf(top), 0, near)
    numerator = np.exp((x - shift) / 2) ** 2
    l = numerator.sum(axis=-1, keepdims=True)
    return numerator / np.where(l == 0, 1, l)
