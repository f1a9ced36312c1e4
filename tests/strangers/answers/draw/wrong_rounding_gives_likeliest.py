# student: where rounding leaves none, the likeliest
import numpy as np


import bisect
import itertools


def draw(p, index, u):
    out = []
    for row, tokens, x in zip(p.astype(np.float64), index, u):
        sums = list(itertools.accumulate(row.tolist()))
        j = bisect.bisect_right(sums, float(x))
        live = np.flatnonzero(row > 0)
        out.append(-1 if not len(live) else tokens[j] if j < len(row) else tokens[row.argmax()])
    return np.array(out, dtype=np.int64)
