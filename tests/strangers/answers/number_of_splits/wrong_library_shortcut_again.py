# Wrong: port of FlashAttention's num_splits_heuristic with its shortcut (80 percent of the slots filled by one split: no split), which the contract leaves out; wrong for programs >= 0.8 slots, e.g. one program more than slots.
def number_of_splits(programs: int, slots: int, most: int) -> int:
    if programs >= 0.8 * slots:
        return 1
    max_efficiency = 0.0
    efficiency = []
    for num_splits in range(1, most + 1):
        n_waves = programs * num_splits / slots
        eff = n_waves / math.ceil(n_waves)
        max_efficiency = max(max_efficiency, eff)
        efficiency.append(eff)
    for num_splits in range(1, most + 1):
        if efficiency[num_splits - 1] >= 0.85 * max_efficiency:
            return num_splits
    return 1
