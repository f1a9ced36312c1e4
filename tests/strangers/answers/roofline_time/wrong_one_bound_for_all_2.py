# Wrong: decides once, from the totals, whether the work is compute-bound, and uses that clock for every piece.
# Shows where pieces on both sides of the ridge stand together.
import numpy as np


def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    if np.sum(flops) / peak >= np.sum(bytes_moved) / bandwidth:
        return flops / peak
    return bytes_moved / bandwidth
