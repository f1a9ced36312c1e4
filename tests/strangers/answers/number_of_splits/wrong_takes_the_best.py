# Returns the most efficient number itself (argmax) instead of the smallest that is nearly as good: more splits than asked for nearly always when most > 1.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    best, best_s = 0.0, 1
    for s in range(1, most + 1):
        w = s * programs / slots
        e = w / math.ceil(w)
        if e > best:
            best, best_s = e, s
    return best_s
