# Exact fractions, first number that reaches 17/20 of the best.
from fractions import Fraction


def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s):
        waves = -(-s * programs // slots)
        return Fraction(s * programs, slots * waves)

    wanted = Fraction(17, 20) * max(map(efficiency, range(1, most + 1)))
    return next(s for s in range(1, most + 1) if efficiency(s) >= wanted)
