# More than 0.85 of the best: differs where it is met exactly.
import math


def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s):
        waves = s * programs / slots
        return waves / math.ceil(waves)

    best = max(efficiency(s) for s in range(1, most + 1))
    return next(s for s in range(1, most + 1) if efficiency(s) > 0.85 * best)
