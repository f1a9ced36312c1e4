# range(1, most): the largest number is left out.
import math


def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s):
        waves = s * programs / slots
        return waves / math.ceil(waves)

    most = max(2, most)
    best = max(efficiency(s) for s in range(1, most))
    return next(s for s in range(1, most + 1) if efficiency(s) >= 0.85 * best)
