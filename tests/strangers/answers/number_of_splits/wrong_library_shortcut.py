# Port of the library with its shortcut: no split at all if the programs fill 80 % of the slots; 0.80 to 0.85 of a wave (say 220 on 264) should be split, and so should 1.1 waves.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    if programs >= 0.8 * slots:
        return 1
    most = min(most, slots)
    effs = []
    for s in range(1, most + 1):
        n_waves = programs * s / slots
        effs.append(n_waves / math.ceil(n_waves))
    best = max(effs)
    for s, e in enumerate(effs, 1):
        if e >= 0.85 * best:
            return s
    return 1
