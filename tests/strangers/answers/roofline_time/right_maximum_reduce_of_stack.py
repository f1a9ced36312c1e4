# np.max over a broadcast stack of the two clocks.
import numpy as np


def roofline_time(flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float) -> np.ndarray:
    work = np.stack(np.broadcast_arrays(flops, bytes_moved)).astype(np.float64)
    rates = np.array([peak, bandwidth], dtype=np.float64).reshape((2,) + (1,) * (work.ndim - 1))
    return np.max(work / rates, axis=0)
