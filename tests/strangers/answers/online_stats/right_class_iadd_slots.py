# Right: a class with __slots__, operator overloading (+=), __iter__ for unpacking and __repr__
import math
from collections.abc import Iterable, Iterator

import numpy as np


class RunningSoftmax:
    __slots__ = ("peak", "total")

    def __init__(self) -> None:
        self.peak: float = -math.inf
        self.total: float = 0.0

    def __iadd__(self, x: float) -> "RunningSoftmax":
        if x > self.peak:
            self.total = self.total * math.exp(self.peak - x) + 1.0
            self.peak = x
        elif x > -math.inf:
            self.total += math.exp(x - self.peak)
        return self

    def __iter__(self) -> Iterator[float]:
        yield self.peak
        yield self.total

    def __repr__(self) -> str:
        return f"{type(self).__name__}(m={self.peak:.3g}, l={self.total:.3g})"


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    """Maximum and denominator of the softmax of one row, in one pass over its elements."""
    running = RunningSoftmax()
    for x in stream:
        running += float(x)
    m, l = running
    return m, l


print(online_stats(np.float32(t) for t in [1, 2, 3]))
