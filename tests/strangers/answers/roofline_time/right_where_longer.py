# Both times, then the longer one picked with np.where; a single piece gives a single number.
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    computing = np.divide(flops, peak)
    moving = np.divide(bytes_moved, bandwidth)
    return np.where(computing > moving, computing, moving)[()]
