# AI assistant: the result is made like flops; right for float64 arrays, but the single whole number flops = 10 makes an int array, and 0.5 seconds become 0
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    seconds = np.zeros_like(flops)
    compute = np.asarray(flops / peak)
    move = np.asarray(bytes_moved / bandwidth)
    seconds[...] = np.where(compute > move, compute, move)
    return seconds
