# right: no floats, efficiencies as pairs of whole numbers that are compared crosswise
def number_of_splits(programs: int, slots: int, most: int) -> int:

    def used_and_offered(s):
        work = s * programs
        waves = (work + slots - 1) // slots
        return work, waves * slots

    top, bottom = used_and_offered(1)
    for s in range(2, most + 1):
        work, room = used_and_offered(s)
        if work * bottom > top * room:
            top, bottom = work, room
    s = 1
    while True:
        work, room = used_and_offered(s)
        if 100 * work * bottom >= 85 * top * room:
            return s
        s += 1
