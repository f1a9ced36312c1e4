# Python's max compares single numbers only and raises for arrays of K > 1 pieces
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    return max(flops / peak, bytes_moved / bandwidth)
