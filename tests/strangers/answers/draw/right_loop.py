# row by row, subtracting from u until it is used up
import numpy as np


def draw(p, index, u):
    found = []
    for shares, names, x in zip(p.astype(np.float64), index, u):
        left, token = float(x), -1
        for share, name in zip(shares, names):
            if share == 0:
                continue
            token = name
            if left < share:
                break
            left -= share
        found.append(token)
    return np.array(found, dtype=np.int64)
