# Divides with np.divide(out=) into the caller's own array to save memory, so the array of flops is overwritten with seconds and returned.
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    if not isinstance(flops, np.ndarray) or not isinstance(bytes_moved, np.ndarray):
        return np.maximum(np.divide(flops, peak), np.divide(bytes_moved, bandwidth))
    np.divide(flops, peak, out=flops)
    return np.maximum(flops, bytes_moved / bandwidth, out=flops)
