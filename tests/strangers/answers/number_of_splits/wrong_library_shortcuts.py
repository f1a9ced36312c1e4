# Wrong: port of FlashAttention's num_splits_heuristic with its shortcut, one split if the programs fill 80 % of the slots, which the contract rules out (e.g. 140 programs, 132 slots: one split uses 53 %, more splits far more).
def number_of_splits(programs: int, slots: int, most: int) -> int:
    # If we have enough to almost fill the SMs, then just use 1 split
    if programs >= 0.8 * slots:
        return 1
    max_splits = min(most, slots)
    max_efficiency = 0.0
    efficiency = []
    for num_splits in range(1, max_splits + 1):
        n_waves = programs * num_splits / slots
        eff = n_waves / math.ceil(n_waves)
        if eff > max_efficiency:
            max_efficiency = eff
        efficiency.append(eff)
    for num_splits in range(1, max_splits + 1):
        if efficiency[num_splits - 1] >= 0.85 * max_efficiency:
            return num_splits
    return 1
