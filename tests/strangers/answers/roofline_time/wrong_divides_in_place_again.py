# Uses /= on the arguments, which overwrites the caller's arrays (invisible for single numbers, and in the result).
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    flops /= peak
    bytes_moved /= bandwidth
    return np.maximum(flops, bytes_moved)
