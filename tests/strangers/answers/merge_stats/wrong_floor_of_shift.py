# Wrong: the shift is never below -1e30, so that pairs with smaller maxima come out with l = 0.
# Breaks: "Maxima have any size".
import numpy as np


def merge_stats(m1, l1, m2, l2):
    m = np.maximum(m1, m2)
    shift = np.maximum(m, np.float32(-1e30))  # -inf - -inf would be NaN
    l = l1 * np.exp(m1 - shift) + l2 * np.exp(m2 - shift)
    return m, l
