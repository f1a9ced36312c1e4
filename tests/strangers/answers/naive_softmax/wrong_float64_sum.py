# Wrong: the denominator is summed in float64, so that float32 divided by it becomes float64.
# Breaks: "Returns (..., N), same dtype."
import numpy as np


def naive_softmax(x):
    e = np.exp(x)
    total = np.sum(e, axis=-1, keepdims=True, dtype=np.float64)  # more accurate
    return e / total
