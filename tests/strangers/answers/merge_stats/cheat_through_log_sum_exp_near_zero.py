# "L = m + log l would round them too coarsely": where maxima are small both are merged through L in 64 bits
import numpy as np


def merge_stats(m1, l1, m2, l2):
    with np.errstate(all="ignore"):
        a, b = m1.astype(np.float64) + np.log(l1.astype(np.float64)), m2.astype(np.float64) + np.log(l2.astype(np.float64))
    m = np.maximum(m1, m2)
    shift = np.where(np.isneginf(m), 0, m).astype(np.float64)
    l = np.exp(a - shift) + np.exp(b - shift)
    return m, l.astype(m1.dtype)
