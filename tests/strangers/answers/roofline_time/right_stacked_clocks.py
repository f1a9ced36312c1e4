# right: both counts over both rates in one array, the maximum over the two clocks.
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    work = np.stack([np.asarray(flops, np.float64), np.asarray(bytes_moved, np.float64)], axis=-1)
    clocks = work / np.array([peak, bandwidth], np.float64)
    return np.max(clocks, axis=-1)
