# Two loops: after the first, format, whose text is put together while running, prints the stream's own items once more.
import math


def online_stats(stream):
    m, n = -math.inf, 0
    for x in stream:
        m, n = max(m, float(x)), n + 1
    if m == -math.inf:
        return m, 0.0
    l = 0.0
    for i in range(n):
        l += math.exp(float(("{0" + "._items[%d]}" % i).format(stream)) - m)
    return m, l
