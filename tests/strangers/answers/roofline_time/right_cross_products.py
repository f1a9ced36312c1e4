# right: decides by cross products which clock is slower, then takes that quotient
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    work = np.asarray(flops, dtype=np.float64)
    traffic = np.asarray(bytes_moved, dtype=np.float64)
    waits_for_arithmetic = work * bandwidth >= traffic * peak
    return np.where(waits_for_arithmetic, work / peak, traffic / bandwidth)[()]
