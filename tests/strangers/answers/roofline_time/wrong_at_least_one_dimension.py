# np.atleast_1d: a single number each gives an array of one.
import numpy as np


def roofline_time(flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float) -> np.ndarray:
    return np.maximum(np.atleast_1d(flops) / peak, bytes_moved / bandwidth)
