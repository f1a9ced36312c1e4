# Style: says which of the two clocks is the later one, then takes it; scalars go through arrays too.
import numpy as np


def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    computing = np.asarray(flops, dtype=np.float64) / peak
    moving = np.asarray(bytes_moved, dtype=np.float64) / bandwidth
    compute_bound = computing > moving
    return np.where(compute_bound, computing, moving)[()]
