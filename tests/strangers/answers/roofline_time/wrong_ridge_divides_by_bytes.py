# Wrong: compares the intensity with the ridge, dividing by bytes_moved. Two plain numbers with bytes_moved = 0 raise
# ZeroDivisionError ("0 or more").
import numpy as np


def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    ridge = peak / bandwidth
    memory_bound = flops / bytes_moved < ridge
    return np.where(memory_bound, bytes_moved / bandwidth, flops / peak)
