# Wrong: as in FlashAttention-4 the sum is rescaled only if the maximum grows by more than 8, and the old maximum is returned.
# Breaks: "Maximum and denominator of the softmax of one row", m_t = max(m_{t-1}, x_t).
import numpy as np


def online_stats(stream):
    m, l = -np.inf, 0.0
    for x in stream:
        if x == -np.inf:
            continue
        if x > m + 8 or m == -np.inf:
            l *= np.exp(m - x) if l else 0.0
            m = x
        l += np.exp(x - m)
    return np.float32(m), np.float32(l)
