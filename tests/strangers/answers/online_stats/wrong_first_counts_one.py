# wrong: the first element always counts 1, a masked one too: a fully masked row gives (-inf, 1)
import numpy as np


def online_stats(stream):
    stream = iter(stream)
    m, l = next(stream), np.float32(1)
    for x in stream:
        if x > m:
            l, m = l * np.exp(m - x) + 1, x
        elif x != -np.inf:
            l = l + np.exp(x - m)
    return m, l
