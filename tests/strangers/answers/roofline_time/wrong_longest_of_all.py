# np.max over both rows reduces to the longest piece of work: one number and not K of them
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    times = np.array([np.asarray(flops) / peak, np.asarray(bytes_moved) / bandwidth])
    return np.max(times)
