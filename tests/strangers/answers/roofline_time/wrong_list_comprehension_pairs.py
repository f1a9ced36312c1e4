# Wraps single numbers by atleast_1d and zips the two lists: single numbers come back with shape (1,) instead of as a number.
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    f, b = np.broadcast_arrays(np.atleast_1d(flops), np.atleast_1d(bytes_moved))
    return np.array([max(x / peak, y / bandwidth) for x, y in zip(f, b)])
