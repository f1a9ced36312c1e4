# style: two branches, Python floats, no exponent of an infinity
import math


def online_stats(stream):
    m, l = -math.inf, 0.0
    for x in stream:
        x = float(x)
        if x > m:
            l = 1.0 + (l * math.exp(m - x) if l else 0.0)
            m = x
        elif x > -math.inf:
            l += math.exp(x - m)
    return m, l
