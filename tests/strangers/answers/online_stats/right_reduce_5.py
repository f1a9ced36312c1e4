# functools.reduce over map(float), Python's floats and math.exp
import functools
import math


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    def absorb(state: tuple[float, float], x: float) -> tuple[float, float]:
        m, l = state
        if x == -math.inf:
            return state
        if x > m:
            return x, l * math.exp(m - x) + 1.0
        return m, l + math.exp(x - m)

    return functools.reduce(absorb, map(float, stream), (-math.inf, 0.0))
