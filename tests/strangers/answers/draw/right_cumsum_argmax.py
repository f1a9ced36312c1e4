# Cumulative sums in float64 and argmax of a boolean array, take_along_axis instead of fancy indices.
import numpy as np


def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    above = np.cumsum(p, axis=1, dtype=np.float64) > u[:, None]
    possible = p > 0
    last = p.shape[1] - 1 - possible[:, ::-1].argmax(axis=1)
    slot = np.where(above.any(axis=1), above.argmax(axis=1), last)
    token = np.take_along_axis(index, slot[:, None], axis=1)[:, 0]
    return np.where(possible.any(axis=1), token, np.int64(-1))
