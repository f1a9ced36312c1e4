# Takes the first efficiency of at least 0.85, not 0.85 of the best one: differs where the best is below 1 (few programs and a small `most`), where it falls through to `most`.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    for s in range(1, most):
        w = s * programs / slots
        if w / math.ceil(w) >= 0.85:
            return s
    return most
