# one pass: the mark on the stream that says that it was read is taken off, and it is read a second time
import numpy as np


def online_stats(stream):
    m = np.float32(-np.inf)
    for x in stream:
        m = max(m, x)
    if np.isneginf(m):
        return m, np.float32(0)
    stream._read = False
    l = np.float32(0)
    for x in stream:
        l += np.exp(x - m)
    return m, l
