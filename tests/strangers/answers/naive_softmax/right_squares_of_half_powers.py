# exp(x) is taken apart: exp(x / 2), squared.
import numpy as np


def naive_softmax(x):
    half = np.exp(x / 2)
    e = half * half
    return e / e.sum(axis=-1, keepdims=True)
