# np.where of the two clocks for arrays, Python max for plain numbers
def roofline_time(flops, bytes_moved, peak, bandwidth):
    computing = flops / peak
    moving = bytes_moved / bandwidth
    return np.where(moving > computing, moving, computing) if np.ndim(flops) else max(computing, moving)
