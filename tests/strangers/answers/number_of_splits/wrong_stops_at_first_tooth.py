# Searches the best efficiency only up to the first fall, so a later, higher tooth is missed where programs do not divide the slots well (100 programs, 264 slots, most 128).
def number_of_splits(programs: int, slots: int, most: int) -> int:
    efficiencies = []
    for s in range(1, most + 1):
        w = s * programs / slots
        e = w / math.ceil(w)
        if efficiencies and e < efficiencies[-1]:
            break
        efficiencies.append(e)
    best = max(efficiencies)
    return 1 + [e >= 0.85 * best for e in efficiencies].index(True)
