# style: a loop over rows with itertools.accumulate and next
from itertools import accumulate

import numpy as np


def draw(p, index, u):
    out = np.full(len(p), -1, dtype=np.int64)
    for r, row in enumerate(p):
        positive = np.flatnonzero(row > 0)
        if len(positive):
            sums = enumerate(accumulate(row.tolist()))
            out[r] = index[r, next((j for j, total in sums if total > u[r]), positive[-1])]
    return out
