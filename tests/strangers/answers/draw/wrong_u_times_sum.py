# port: u times the sum, instead of u: where the sum is rounded below 1, u at a sum falls one slot short
import numpy as np


import bisect
import itertools


def draw(p, index, u):
    out = []
    for row, tokens, x in zip(p.astype(np.float64), index, u):
        sums = list(itertools.accumulate(row.tolist()))
        j = bisect.bisect_right(sums, float(x) * sums[-1])
        live = np.flatnonzero(row > 0)
        out.append(-1 if not len(live) else tokens[j] if j < len(row) else tokens[live[-1]])
    return np.array(out, dtype=np.int64)
