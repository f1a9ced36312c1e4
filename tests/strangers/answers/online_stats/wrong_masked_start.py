# wrong: a row that begins with -inf: exp(-inf - -inf) is nan and stays
import numpy as np


def online_stats(stream):
    m, l = -np.inf, 0.0
    for x in stream:
        new = max(m, x)
        l = l * np.exp(m - new) + np.exp(x - new)
        m = new
    if m == -np.inf:
        l = 0.0
    return m, l
