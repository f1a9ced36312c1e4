# Decides by intensity: divides flops by bytes, which is NaN or infinite where a piece moves or computes nothing.
import numpy as np


def roofline_time(flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float) -> np.ndarray:
    intensity = np.divide(flops, bytes_moved, where=np.asarray(bytes_moved) > 0, out=np.zeros(np.shape(flops)))
    return np.where(intensity > peak / bandwidth, flops / peak, bytes_moved / bandwidth)
