# Compares the total intensity with the ridge once and calls all pieces compute-bound or all memory-bound: wrong for arrays that hold both kinds.
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    ridge = peak / bandwidth
    intensity = np.sum(flops) / np.sum(bytes_moved)
    if intensity > ridge:
        return flops / peak
    return bytes_moved / bandwidth
