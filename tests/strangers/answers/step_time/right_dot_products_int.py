# Right: np.dot of int arrays, nested function for a phase, keyword-only lambda; sums of n (2 L - n + 1) / 2 pairs
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
    """The least time that one step of a language model takes, on the roofline's clock."""

    def seconds(*, flops: float, numbers: float) -> float:
        return roofline_time(float(flops), float(numbers * itemsize), peak, bandwidth)

    pairs = int(np.dot(new, 2 * length - new + 1)) // 2
    matrices = seconds(flops=2 * int(new.sum()) * weights, numbers=weights)
    attention = seconds(flops=pairs * per_pair, numbers=int(length.sum()) * per_token)
    return matrices + attention
