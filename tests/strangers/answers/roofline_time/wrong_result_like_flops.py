# Allocates the result like `flops`; for whole numbers, as relu_cost returns them, the seconds are cut off to 0 (flops=10**9, bytes_moved=10**6).
import numpy as np


def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    seconds = np.empty_like(flops)
    np.maximum(np.true_divide(flops, peak), np.true_divide(bytes_moved, bandwidth), out=seconds, casting="unsafe")
    return seconds[()]
