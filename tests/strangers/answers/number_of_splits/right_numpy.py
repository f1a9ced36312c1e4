# Right: NumPy, all candidates at once and np.argmax of a boolean array.
import numpy as np


def number_of_splits(programs, slots, most):
    candidates = np.arange(1, most + 1, dtype=np.float64)
    waves = candidates * programs / slots
    efficiency = waves / np.ceil(waves)
    good_enough = efficiency >= 0.85 * efficiency.max()
    return int(np.argmax(good_enough)) + 1
