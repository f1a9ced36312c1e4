# Right: exact fractions.Fraction, max of a generator, next() with a condition, math.ceil
import math
from fractions import Fraction


def number_of_splits(programs: int, slots: int, most: int) -> int:
    """Into how many splits the keys are cut, so that few slots are idle in the last wave."""

    def efficiency(s: int) -> Fraction:
        waves = Fraction(s * programs, slots)
        return waves / math.ceil(waves)

    choices = range(1, most + 1)
    enough = Fraction(85, 100) * max(map(efficiency, choices))
    return next(s for s in choices if efficiency(s) >= enough)
