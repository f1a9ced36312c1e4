# Right: efficiencies as pairs of whole numbers, compared crosswise; nothing is rounded.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    def share(s):
        used = s * programs
        waves = (used + slots - 1) // slots
        return used, waves * slots

    best_used, best_room = 0, 1
    for s in range(1, most + 1):
        used, room = share(s)
        if used * best_room > best_used * room:
            best_used, best_room = used, room
    s = 1
    while True:
        used, room = share(s)
        if 20 * used * best_room >= 17 * best_used * room:
            return s
        s += 1
