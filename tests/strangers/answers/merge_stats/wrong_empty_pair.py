# Two empty pieces give l = nan, because only the case of one empty piece was thought of.
import numpy as np


def merge_stats(m1, l1, m2, l2):
    m = np.maximum(m1, m2)
    a = np.where(l1 == 0, l1, l1 * np.exp(m1 - m))
    b = l2 * np.exp(m2 - m)
    return m, a + b
