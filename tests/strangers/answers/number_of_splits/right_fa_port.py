# style: port of num_splits_heuristic of FlashAttention (C++)
import math


def number_of_splits(programs: int, slots: int, most: int) -> int:
    max_efficiency = 0.0
    efficiency: list[float] = []
    for num_splits in range(1, most + 1):
        n_waves = float(programs * num_splits) / slots
        eff = n_waves / math.ceil(n_waves)
        # printf("num_splits = %d, eff = %f\n", num_splits, eff);
        if eff > max_efficiency:
            max_efficiency = eff
        efficiency.append(eff)
    for num_splits in range(1, most + 1):
        if efficiency[num_splits - 1] >= 0.85 * max_efficiency:
            return num_splits
    return 1
