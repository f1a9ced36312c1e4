# style: operator module, np.fmax via ufunc, lambda in dictionary
import operator

import numpy as np


def roofline_time(flops, bytes_moved, peak: float, bandwidth: float):
    compute = operator.truediv(np.asarray(flops, dtype=np.float64), peak)
    traffic = operator.truediv(np.asarray(bytes_moved, dtype=np.float64), bandwidth)
    slower = np.maximum(compute, traffic)
    return slower if slower.ndim else slower.item()
