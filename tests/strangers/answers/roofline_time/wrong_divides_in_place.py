# divides inside the arrays of the caller (and so destroys the counts); right numbers
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    if isinstance(flops, np.ndarray) and isinstance(bytes_moved, np.ndarray):
        flops /= peak
        bytes_moved /= bandwidth
        return np.maximum(flops, bytes_moved)
    return np.maximum(flops / peak, bytes_moved / bandwidth)
