# Leaves out numbers of splits that need as many waves as the one before, as libraries leave out some.
import math


def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s):
        waves = s * programs / slots
        return waves / math.ceil(waves)

    best = max(efficiency(s) for s in range(1, most + 1))
    return next(s for s in range(1, most + 1) if efficiency(s) >= 0.85 * best and (s == 1 or math.ceil(s * programs / slots) != math.ceil((s - 1) * programs / slots) or s * programs <= slots))
