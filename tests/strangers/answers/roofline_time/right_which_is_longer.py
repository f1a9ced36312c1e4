# Decides for each piece whether it is memory-bound and chooses its time with np.where; a single number comes back as a number.
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    compute = np.divide(flops, peak)
    move = np.divide(bytes_moved, bandwidth)
    memory_bound = move > compute
    return np.where(memory_bound, move, compute)[()]
