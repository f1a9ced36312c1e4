# Plain Python floats and math.exp with three branches, converted to float32 on return.
import math


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    best, mass = -math.inf, 0.0
    for item in stream:
        value = float(item)
        if value == -math.inf:
            continue
        if value <= best:
            mass += math.exp(value - best)
        else:
            mass = 1.0 + mass * math.exp(best - value)
            best = value
    return np.float32(best), np.float32(mass)
