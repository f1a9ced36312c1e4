# exact: fractions.Fraction and next() over a generator
from fractions import Fraction


def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s: int) -> Fraction:
        waves = -(-s * programs // slots)
        return Fraction(s * programs, slots * waves)

    choices = range(1, most + 1)
    good_enough = Fraction(85, 100) * max(map(efficiency, choices))
    return next(s for s in choices if efficiency(s) >= good_enough)
