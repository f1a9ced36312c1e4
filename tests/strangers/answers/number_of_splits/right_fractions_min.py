# Fractions and next().
import math


from fractions import Fraction


def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s):
        waves = Fraction(s * programs, slots)
        return waves / math.ceil(waves)

    best = max(map(efficiency, range(1, most + 1)))
    return next(s for s in range(1, most + 1) if 20 * efficiency(s) >= 17 * best)
