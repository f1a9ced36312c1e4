# Asks for an efficiency of 0.85 itself and takes the best number if none reaches it; too many splits where the best is below 1 (one program, 264 slots, most 128).
def number_of_splits(programs: int, slots: int, most: int) -> int:
    best, best_s = 0.0, 1
    for s in range(1, most + 1):
        waves = programs * s / slots
        efficiency = waves / math.ceil(waves)
        if efficiency >= 0.85:
            return s
        if efficiency > best:
            best, best_s = efficiency, s
    return best_s
