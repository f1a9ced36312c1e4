# Numpy stack of both times and max over the new axis; single numbers take the same way and come back as a float.
import numpy as np


def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    times = np.stack([np.true_divide(flops, peak), np.true_divide(bytes_moved, bandwidth)])
    longest = times.max(axis=0)
    return longest if longest.ndim else float(longest)
