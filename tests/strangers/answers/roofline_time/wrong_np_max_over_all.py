# Uses np.max where np.maximum is meant: right for one piece of work, but for K pieces it returns the one largest time of all of them as a scalar.
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    t_compute = np.asarray(flops) / peak
    t_memory = np.asarray(bytes_moved) / bandwidth
    return np.max([t_compute, t_memory])
