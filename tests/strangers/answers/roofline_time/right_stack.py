# right: both clocks as rows of an array, and the slower one of each column
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    clocks = np.stack([flops / peak, bytes_moved / bandwidth])
    return clocks.max(axis=0)
