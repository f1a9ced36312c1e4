# right: functools.reduce over the unmasked elements with pairs of Python floats; no exponent is ever -inf + inf.
import math
from functools import reduce


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    def step(pair, x):
        m, l = pair
        if x <= m:
            return m, l + math.exp(x - m)
        return x, (l * math.exp(m - x) if l else 0.0) + 1.0

    seen = (float(x) for x in stream if x > -np.inf)
    return reduce(step, seen, (-math.inf, 0.0))
