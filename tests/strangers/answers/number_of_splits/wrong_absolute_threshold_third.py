# Wrong: takes the first number whose efficiency is at least 0.85 itself, not 0.85 of the best; wrong where the best one is clearly below 1 (e.g. 8 programs, 264 slots, most 10: gives 10 instead of 9), right where some number fills the slots exactly.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    best_s, best_e = 1, 0.0
    for s in range(1, most + 1):
        w = s * programs / slots
        e = w / math.ceil(w)
        if e >= 0.85:
            return s
        if e > best_e:
            best_s, best_e = s, e
    return best_s
