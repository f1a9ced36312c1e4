# At least 0.85 (of a full wave), not of the best one: falls back to the best.
import math


def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s):
        waves = s * programs / slots
        return waves / math.ceil(waves)

    best = max(efficiency(s) for s in range(1, most + 1))
    return next((s for s in range(1, most + 1) if efficiency(s) >= 0.85), max(range(1, most + 1), key=efficiency))
