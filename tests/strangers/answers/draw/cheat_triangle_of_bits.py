# Breaks: "nothing k x k" (a triangle of k x k ones that is multiplied with each row)
import numpy as np


def draw(p, index, u):
    rows, k = p.shape
    triangle = np.tri(k, dtype=np.bool_)
    tokens = np.empty(rows, np.int64)
    for r in range(rows):
        sums = np.array([p[r][line].astype(np.float64).sum() for line in triangle])
        later = np.flatnonzero(sums > u[r])
        there = np.flatnonzero(p[r] > 0)
        if len(there) == 0:
            tokens[r] = -1
        else:
            tokens[r] = index[r, later[0] if len(later) else there[-1]]
    return tokens
