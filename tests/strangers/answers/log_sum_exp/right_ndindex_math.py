# Right: old-fashioned loops with math.exp, math.log and math.fsum over np.ndindex
import math

import numpy as np


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    """log of the sum of exponentials along the last axis, without overflow."""
    result = np.empty(x.shape[:-1], dtype=x.dtype)
    for index in np.ndindex(*x.shape[:-1]):
        row = x[index]
        biggest = float(max(row))
        if biggest == -math.inf:
            result[index] = -math.inf
            continue
        result[index] = biggest + math.log(math.fsum(math.exp(float(t) - biggest) for t in row))
    return result[()]
