# Wrong: by arithmetic intensity and attainable performance, which is 0/0 where nothing is computed or moved.
# Breaks: "what a piece computes and moves, 0 or more."
import numpy as np


def roofline_time(flops, bytes_moved, peak, bandwidth):
    intensity = np.divide(flops, bytes_moved)
    attainable = np.minimum(peak, intensity * bandwidth)
    return flops / attainable
