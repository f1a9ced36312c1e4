# Right: a running pair in a class, math.exp on Python floats, masked elements are skipped before anything is subtracted.
import math


class _Pair:
    __slots__ = ("top", "total")

    def __init__(self):
        self.top, self.total = -math.inf, 0.0

    def add(self, x):
        if x == -math.inf:
            return
        if self.total == 0.0:
            self.top, self.total = x, 1.0
        elif x <= self.top:
            self.total += math.exp(x - self.top)
        else:
            self.total = 1.0 + self.total * math.exp(self.top - x)
            self.top = x


def online_stats(stream):
    pair = _Pair()
    for element in stream:
        pair.add(float(element))
    return pair.top, pair.total
