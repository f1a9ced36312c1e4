# Honest: functools.reduce with a nested function and math.exp.
import math
from functools import reduce
from collections.abc import Iterable

import numpy as np

_ = np.seterr(all="ignore")



def online_stats(stream: Iterable[np.float32]) -> tuple[float, float]:
    def step(state: tuple[float, float], x: np.float32) -> tuple[float, float]:
        m, l = state
        x = float(x)
        if math.isinf(x):
            return state
        if x <= m:
            return m, l + math.exp(x - m)
        return x, 1.0 + l * math.exp(m - x)

    return reduce(step, stream, (-math.inf, 0.0))
