# fills an array in a loop over len(flops); raises for single numbers
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    seconds = np.empty(len(flops))
    for i, (f, b) in enumerate(zip(flops, bytes_moved)):
        seconds[i] = max(f / peak, b / bandwidth)
    return seconds
