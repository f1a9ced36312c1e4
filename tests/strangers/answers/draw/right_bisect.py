# Right: one row at a time, itertools.accumulate in float64 and bisect_right.
from bisect import bisect_right
from itertools import accumulate

import numpy as np


def _slot(row, number):
    sums = list(accumulate(map(float, row)))
    j = bisect_right(sums, float(number))
    if j < len(sums):
        return j
    positive = [i for i, share in enumerate(row) if share > 0]
    return positive[-1] if positive else None


def draw(p, index, u):
    slots = [_slot(row, number) for row, number in zip(p, u)]
    said = [-1 if j is None else tokens[j] for j, tokens in zip(slots, index)]
    return np.array(said, dtype=np.int64)
