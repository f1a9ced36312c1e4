# style: web port of num_splits_heuristic without the shortcuts, floats
import math


def number_of_splits(programs: int, slots: int, most: int) -> int:
    efficiencies = []
    for num_splits in range(1, most + 1):
        n_waves = num_splits * programs / slots
        efficiencies.append(n_waves / math.ceil(n_waves))
    max_efficiency = max(efficiencies)
    for num_splits, eff in enumerate(efficiencies, start=1):
        if eff >= 0.85 * max_efficiency:
            return num_splits
    return 1
