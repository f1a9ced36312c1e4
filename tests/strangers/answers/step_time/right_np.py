# style: numpy with explicit float64 casts, keyword call of roofline_time
import numpy as np

from kernels.memory_hierarchy import roofline_time


def step_time(
    new: np.ndarray,
    length: np.ndarray,
    weights: int,
    per_token: int,
    per_pair: int,
    itemsize: int,
    peak: float,
    bandwidth: float,
) -> float:
    machine = {"peak": peak, "bandwidth": bandwidth}
    matrices = roofline_time(2.0 * weights * float(new.sum()), float(weights * itemsize), **machine)
    # the new tokens of a sequence see length - new + 1, ..., length keys
    pairs = float(np.sum(new * (2 * length - new + 1) // 2))
    attention = roofline_time(per_pair * pairs, float(per_token * itemsize) * float(length.sum()), **machine)
    return float(matrices + attention)
