# Right: all rows at once, argmax of booleans, a reversed argmax for the last positive slot.
import numpy as np


def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    sums = np.cumsum(p, axis=1, dtype=np.float64)
    beyond = sums > u[:, np.newaxis]
    first = beyond.argmax(axis=1)
    last_positive = p.shape[1] - 1 - (p > 0)[:, ::-1].argmax(axis=1)
    slot = np.where(beyond.any(axis=1), first, last_positive)
    token = np.take_along_axis(index, slot[:, np.newaxis], axis=1)[:, 0]
    return np.where((p > 0).any(axis=1), token, np.int64(-1))
