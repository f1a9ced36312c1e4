# Takes both clocks in float32 and returns float64.
import numpy as np


def roofline_time(flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float) -> np.ndarray:
    return np.maximum(np.float32(flops / peak), np.float32(bytes_moved / bandwidth)).astype(np.float64)
