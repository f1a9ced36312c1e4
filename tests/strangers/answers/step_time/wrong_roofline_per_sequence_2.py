# Wrong: the attention of each sequence has a roofline of its own, and the times are added.
# Breaks: "the roofline time of the matrices of all sequences, plus that of the attention of all."
import numpy as np


def step_time(new, length, weights, per_token, per_pair, itemsize, peak, bandwidth):
    matrices = max(2 * int(new.sum()) * weights / peak, weights * itemsize / bandwidth)
    pairs = new * length - new * (new - 1) // 2
    attention = np.maximum(pairs * per_pair / peak, length * per_token * itemsize / bandwidth)
    return float(matrices + attention.sum())
