# exact fractions, and a search that goes down from most and keeps the last good one
from fractions import Fraction


def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s):
        waves = (s * programs + slots - 1) // slots
        return Fraction(s * programs, slots * waves)

    bar = Fraction(17, 20) * max(map(efficiency, range(1, most + 1)))
    taken = most
    for s in range(most, 0, -1):
        if efficiency(s) >= bar:
            taken = s
    return taken
