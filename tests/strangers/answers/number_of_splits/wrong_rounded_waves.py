# Whole waves are counted by round() and at least 1, so efficiencies above 1 appear: wrong where a fraction of a wave below one half is left over.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    effs = {}
    for s in range(1, most + 1):
        w = s * programs / slots
        effs[s] = w / max(1, round(w))
    best = max(effs.values())
    return next(s for s in effs if effs[s] >= 0.85 * best)
