# >= instead of > lets u = 0 choose a first slot whose probability is 0.
import numpy as np


def draw(p, index, u):
    reached = np.cumsum(p, axis=1, dtype=np.float64) >= u[:, None]
    last = p.shape[1] - 1 - (p[:, ::-1] > 0).argmax(axis=1)
    slot = np.where(reached.any(axis=1), reached.argmax(axis=1), last)
    token = index[np.arange(len(p)), slot]
    return np.where((p > 0).any(axis=1), token, -1)
