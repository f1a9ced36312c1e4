# Wrong: begins with the first element as m and l = 1, which a fully masked row keeps.
# Breaks: "A fully masked row gives (-inf, 0)."
import numpy as np


def online_stats(stream):
    stream = iter(stream)
    m, l = next(stream), np.float32(1)
    for x in stream:
        if x > m:
            l = l * np.exp(m - x) + 1
            m = x
        elif x > -np.inf:
            l = l + np.exp(x - m)
    return m, l
