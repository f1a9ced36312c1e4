# style: fractions.Fraction, next() with a generator, max(key)
from fractions import Fraction
from math import ceil


def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s: int) -> Fraction:
        waves = Fraction(s * programs, slots)
        return waves / ceil(waves)

    wanted = Fraction(85, 100) * max(map(efficiency, range(1, most + 1)))
    return next(s for s in range(1, most + 1) if efficiency(s) >= wanted)
