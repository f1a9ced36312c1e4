# Divides the arrays in place.
import numpy as np


def roofline_time(flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float) -> np.ndarray:
    flops /= peak
    return np.maximum(flops, bytes_moved / bandwidth)
