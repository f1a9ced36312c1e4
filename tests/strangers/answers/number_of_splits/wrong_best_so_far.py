# one loop of a hurried student: 0.85 of the best seen so far, so 1 is always good enough; shows wherever one split is far from the best
def number_of_splits(programs: int, slots: int, most: int) -> int:
    efficiency = []
    best = 0.0
    for s in range(1, most + 1):
        w = s * programs / slots
        e = w / math.ceil(w)
        best = max(best, e)
        if e >= 0.85 * best:
            return s
    return most
