# A smooth maximum (2-norm of the two clocks), as measured rooflines look.
import numpy as np


def roofline_time(flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float) -> np.ndarray:
    return np.hypot(flops / peak, bytes_moved / bandwidth)
