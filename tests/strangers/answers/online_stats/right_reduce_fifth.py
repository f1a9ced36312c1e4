# right: functools.reduce with the merging of pairs (x, 1), in Python floats; masked elements are skipped
import math
from functools import reduce


def _absorb(state: tuple[float, float], x: float) -> tuple[float, float]:
    m, l = state
    if x == -math.inf:
        return state
    if x <= m:
        return m, l + math.exp(x - m)
    return x, 1.0 + l * math.exp(m - x)


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    return reduce(_absorb, map(float, stream), (-math.inf, 0.0))
