# style: functools.reduce with the associative merge of pairs
from functools import reduce

import numpy as np


def online_stats(stream):
    def merge(a, b):
        m = max(a[0], b[0])
        if m == -np.inf:
            return a
        return m, a[1] * np.exp(a[0] - m) + b[1] * np.exp(b[0] - m)

    empty = np.float32(-np.inf), np.float32(0)
    return reduce(merge, ((x, np.float32(x > -np.inf)) for x in stream), empty)
