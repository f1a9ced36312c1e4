# Wrong: np.asarray copies nothing, and the division in place changes the arguments.
# Breaks: "Arguments stay as they are, and results are new memory."
import numpy as np


def roofline_time(flops, bytes_moved, peak, bandwidth):
    compute = np.asarray(flops, dtype=np.float64)
    move = np.asarray(bytes_moved, dtype=np.float64)
    compute /= peak
    move /= bandwidth
    return np.maximum(compute, move)
