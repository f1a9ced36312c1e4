# Right: exact, with fractions.Fraction, a dict comprehension and next over a generator.
from fractions import Fraction
from math import ceil


def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s: int) -> Fraction:
        waves = Fraction(s * programs, slots)
        return waves / ceil(waves)

    by_splits = {s: efficiency(s) for s in range(1, most + 1)}
    enough = Fraction(85, 100) * max(by_splits.values())
    return next(s for s, found in by_splits.items() if found >= enough)
