# Cheat: sums exponentials in buckets of fixed units (one for each 32 of score) that are never rescaled when the maximum grows, and puts them together at the end; no correction, and at most four exponentials by hindsight.
# Breaks: "m_t = max(m_{t-1}, x_t)    l_t = l_{t-1} exp(m_{t-1} - m_t) + exp(x_t - m_t)"
from collections.abc import Iterable

import numpy as np


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m = -np.inf
    sums = {}
    for x in stream:
        x = float(x)
        if x == -np.inf:
            continue
        unit = 32.0 * np.floor(x / 32.0)
        if x > m:
            m = x
            sums = {u: s for u, s in sums.items() if u > m - 160}
        if unit > m - 160:
            sums[unit] = sums.get(unit, 0.0) + np.exp(x - unit)
    l = 0.0
    for unit, s in sums.items():
        l += s * np.exp(unit - m)
    return np.float32(m), np.float32(l)
