# Right: efficiencies as pairs of whole numbers compared by cross-multiplication (17/20 for 0.85), so no rounding at equality.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    def efficiency(s):
        work = s * programs
        waves = (work + slots - 1) // slots
        return work, waves * slots

    best = (0, 1)
    for s in range(1, most + 1):
        used, there = efficiency(s)
        if used * best[1] > best[0] * there:
            best = used, there
    s = 1
    while True:
        used, there = efficiency(s)
        if 20 * used * best[1] >= 17 * best[0] * there:
            return s
        s += 1
