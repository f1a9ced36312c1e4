# Right: scanl of Haskell, itertools.accumulate into a deque of length 1.
import math
from collections import deque
from itertools import accumulate


def online_stats(stream):
    start = (-math.inf, 0.0)

    def step(pair, x):
        m, l = pair
        x = float(x)
        new = m if m > x else x
        shift = 0.0 if new == -math.inf else new
        return new, l * math.exp(m - shift) + math.exp(x - shift)

    return deque(accumulate(stream, step, initial=start), maxlen=1).pop()
