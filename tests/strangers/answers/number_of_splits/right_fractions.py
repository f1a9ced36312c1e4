# Exact with fractions.Fraction.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    from fractions import Fraction

    def efficiency(s):
        w = Fraction(s * programs, slots)
        return w / math.ceil(w)

    wanted = max(map(efficiency, range(1, most + 1))) * Fraction(85, 100)
    return next(s for s in range(1, most + 1) if efficiency(s) >= wanted)
