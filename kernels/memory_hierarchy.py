"""Operations and bytes of a ReLU and of a linear layer, and the least time that they take.

Counts are whole numbers (int) of any size. A multiplication and an addition are two operations.
"""

import numpy as np


def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    """What y = max(x, 0) costs, for n numbers in main memory.

    n: numbers in x, shape (n,), and in y. itemsize: bytes of one number.
    Returns flops and bytes_moved, two ints: one comparison counts as one operation; x has
    to come from main memory and y has to go there.
    """
    flops = n
    bytes_moved = 2 * n * itemsize
    return flops, bytes_moved


def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    """The least time that a machine needs for each of K pieces of work.

    flops, bytes_moved: both (K,) float64, or both a single number, an int or a float: what a
    piece computes and moves, 0 or more.
    peak: operations per second. bandwidth: bytes per second.
    Returns seconds: (K,) float64, or for single numbers a number. Computing and moving
    overlap perfectly.

    Williams, Waterman and Patterson (2009).
    """
    return np.maximum(flops / peak, bytes_moved / bandwidth)


def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    """What a linear layer y = x W costs: x (tokens, d_in), W (d_in, d_out), y (tokens, d_out).

    tokens, d_in, d_out: the sizes above; all three matrices live in main memory.
    itemsize: bytes of one number.
    Returns flops and bytes_moved, two ints, if every matrix crosses once; a product of two
    numbers and its addition are 2 flops.
    """
    flops = 2 * tokens * d_in * d_out
    bytes_moved = (tokens * d_in + d_in * d_out + tokens * d_out) * itemsize
    return flops, bytes_moved
