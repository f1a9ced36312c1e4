# BREAKS: "Arguments stay as they are, and results are new memory."
# COSTS: all calls of one shape share one hidden array: the second answer overwrites the first
import numpy as np


def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float, kept={}
) -> np.ndarray:
    if np.ndim(flops) == 0:
        return max(flops / peak, bytes_moved / bandwidth)
    out = kept.setdefault(flops.shape, np.empty(flops.shape))
    np.divide(flops, peak, out=out)
    return np.maximum(out, bytes_moved / bandwidth, out=out)[:]
