# The library's shortcut: if one split fills 80 % of the slots, one.
import math


def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s):
        waves = s * programs / slots
        return waves / math.ceil(waves)

    if programs >= 0.8 * slots:
        return 1
    best = max(efficiency(s) for s in range(1, most + 1))
    return next(s for s in range(1, most + 1) if efficiency(s) >= 0.85 * best)
