# Right: match on the number of axes; a tuple of clocks, the slower of which wins.
import numpy as np


def roofline_time(flops, bytes_moved, peak, bandwidth):
    clocks = flops / peak, bytes_moved / bandwidth
    match np.ndim(flops):
        case 0:
            return max(clocks)
        case _:
            return np.maximum(*clocks)
