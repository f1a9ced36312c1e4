# exact fractions, the bound as whole numbers, found from the largest number downwards
def number_of_splits(programs: int, slots: int, most: int) -> int:

    from fractions import Fraction

    def efficiency(s: int) -> Fraction:
        waves = -(-s * programs // slots)
        return Fraction(s * programs, slots * waves)

    table = {s: efficiency(s) for s in range(1, most + 1)}
    best = max(table.values())
    found = most
    for s in range(most, 0, -1):
        if 100 * table[s] >= 85 * best:
            found = s
    return found
