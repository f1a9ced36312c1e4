# Right: sort the two into the higher and the lower one, so that only one exponential is taken.
import numpy as np


def merge_stats(m1, l1, m2, l2):
    first = m1 >= m2
    high, low = np.where(first, m1, m2), np.where(first, m2, m1)
    l_high, l_low = np.where(first, l1, l2), np.where(first, l2, l1)
    gap = np.subtract(low, high, out=np.zeros_like(high), where=high > -np.inf)
    return high, l_high + l_low * np.exp(gap)
