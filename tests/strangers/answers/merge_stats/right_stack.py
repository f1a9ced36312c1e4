# Right: both pairs stacked along a new first axis, then one reduction.
import numpy as np


def merge_stats(m1, l1, m2, l2):
    maxima, sums = np.stack((m1, m2)), np.stack((l1, l2))
    m = maxima.max(axis=0)
    weights = np.exp(maxima - np.where(m == -np.inf, np.zeros_like(m), m))
    return m, (weights * sums).sum(axis=0)
