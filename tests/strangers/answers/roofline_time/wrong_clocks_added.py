# adds the two times, which overlap by the contract
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    return np.asarray(flops) / peak + np.asarray(bytes_moved) / bandwidth
