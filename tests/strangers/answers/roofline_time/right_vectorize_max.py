# Right: np.fmax.reduce over a list of two, np.asarray for scalars, [()] back to a number; plot of the roofline below
import numpy as np


def roofline_time(
    flops: np.ndarray, bytes_moved: np.ndarray, peak: float, bandwidth: float
) -> np.ndarray:
    times = [np.asarray(flops, dtype=np.float64) / peak, np.asarray(bytes_moved, dtype=np.float64) / bandwidth]
    return np.fmax.reduce(times)[()]


import matplotlib.pyplot as plt

ai = np.geomspace(0.1, 1000)
plt.loglog(ai, ai / roofline_time(ai, np.ones_like(ai), 1e12, 1e11))
plt.xlabel("FLOP/byte")
plt.close()
