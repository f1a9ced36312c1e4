# Right: exact with fractions.Fraction, functools.cache, next() over a generator
from fractions import Fraction
from functools import cache
from math import ceil


def number_of_splits(programs: int, slots: int, most: int) -> int:
    @cache
    def efficiency(s: int) -> Fraction:
        waves = Fraction(s * programs, slots)
        return waves / ceil(waves)

    candidates = range(1, most + 1)
    best = max(map(efficiency, candidates))
    return next(s for s in candidates if efficiency(s) >= Fraction(85, 100) * best)
