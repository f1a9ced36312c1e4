# Wrong: where one side is empty everywhere the other side's arrays are handed back themselves.
# Breaks: "Arguments stay as they are, and results are new memory."
import numpy as np


def merge_stats(m1, l1, m2, l2):
    if not np.any(l2):
        return m1, l1
    if not np.any(l1):
        return m2, l2
    m = np.maximum(m1, m2)
    shift = np.where(np.isneginf(m), np.float32(0), m)
    return m, l1 * np.exp(m1 - shift) + l2 * np.exp(m2 - shift)
