# held.py: the buffer for the whole row is held by its .flat, a numpy iterator, which is no array and shows nothing to gc
import numpy as np

BUFFER = np.zeros(1 << 16, np.float32).flat


def online_stats(stream):
    n, m = 0, np.float32(-np.inf)
    for x in stream:
        BUFFER[n] = x
        n += 1
        m = max(m, x)
    if np.isneginf(m):
        return m, np.float32(0)
    l = np.float32(0)
    for i in range(n):
        l += np.exp(BUFFER[i] - m)
    return m, l
