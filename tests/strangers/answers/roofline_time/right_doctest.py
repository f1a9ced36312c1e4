# docstring with doctest, and one ufunc
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    """Whichever takes longer, computing or moving.

    >>> float(roofline_time(10.0, 10.0, peak=10.0, bandwidth=2.0))
    5.0
    """
    computing = np.asarray(flops, dtype=np.float64) / peak
    moving = np.asarray(bytes_moved, dtype=np.float64) / bandwidth
    return np.fmax(computing, moving)
