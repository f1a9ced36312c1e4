# Right: functools.reduce over the stream with a NamedTuple monoid, match statement, math.exp
import math
from collections.abc import Iterable
from functools import reduce
from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    m: float = -math.inf
    l: float = 0.0

    def __rshift__(self, x: float) -> "State":
        match (self.m, x):
            case (_, value) if value == -math.inf:
                return self
            case (m, value) if value > m:
                scale = math.exp(m - value) if m > -math.inf else 0.0
                return State(value, self.l * scale + 1.0)
            case (m, value):
                return State(m, self.l + math.exp(value - m))


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    state = reduce(lambda acc, x: acc >> float(x), stream, State())
    return np.float32(state.m), np.float32(state.l)
