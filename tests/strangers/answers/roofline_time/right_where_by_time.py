# computes both clocks and picks by where
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    compute = np.asarray(flops) / peak
    move = np.asarray(bytes_moved) / bandwidth
    return np.where(compute > move, compute, move)
