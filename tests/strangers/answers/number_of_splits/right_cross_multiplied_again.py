# Pairs of busy and offered slots in whole numbers, compared by cross multiplication in two while loops.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    best_busy, best_offered, s = 0, 1, 1
    while s <= most:
        busy = s * programs
        offered = -(-busy // slots) * slots
        if busy * best_offered > best_busy * offered:
            best_busy, best_offered = busy, offered
        s += 1
    s = 1
    while True:
        busy = s * programs
        if 100 * busy * best_offered >= 85 * best_busy * (-(-busy // slots) * slots):
            return s
        s += 1
