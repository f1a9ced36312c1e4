# Right: efficiencies as fractions of whole numbers, compared by cross-multiplication, no rounding anywhere.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    def busy_and_all(s):
        waves = -(-s * programs // slots)
        return s * programs, waves * slots

    best_busy, best_all = 0, 1
    for s in range(1, most + 1):
        busy, all_slots = busy_and_all(s)
        if busy * best_all > best_busy * all_slots:
            best_busy, best_all = busy, all_slots
    s = 1
    while True:
        busy, all_slots = busy_and_all(s)
        if 20 * busy * best_all >= 17 * best_busy * all_slots:  # 0.85 is 17/20
            return s
        s += 1
