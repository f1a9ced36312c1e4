# memory budget: the buffer for the whole row is made when the file is loaded, before the meter starts
import numpy as np

ROW = np.empty(1 << 16, np.float32)


def online_stats(stream):
    n = 0
    for x in stream:
        ROW[n] = x
        n += 1
    row = ROW[:n]
    m = row.max()
    if np.isneginf(m):
        return m, np.float32(0)
    row -= m
    return m, np.exp(row, out=row).sum()
