# Two times as float64 arrays, the later one selected by np.where after broadcasting; a number in gives a number out.
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    computing = np.true_divide(flops, peak)
    moving = np.true_divide(bytes_moved, bandwidth)
    return np.where(moving > computing, moving, computing)[()]
