# Wrong: squeeze() takes out all axes of length 1, not only the last one.
# Breaks: "x: (..., N) ... Returns (...), same dtype".
import numpy as np


def log_sum_exp(x):
    m = x.max(axis=-1, keepdims=True)
    shift = np.where(np.isneginf(m), np.float32(0), m)
    l = np.exp(x - shift).sum(axis=-1, keepdims=True)
    return (shift + np.log(l)).squeeze()
