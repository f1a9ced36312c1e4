# Assumes that chances come in descending order, zeros last, so that the last positive slot is their count less one; p = [0, 0.5, 0.4999] with u = 0.99995 gives slot 1 in place of 2.
import numpy as np


def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    above = np.cumsum(p, axis=1) > u[:, None]
    positive = np.count_nonzero(p, axis=1)
    slot = np.where(above.any(axis=1), above.argmax(axis=1), positive - 1)
    token = index[np.arange(len(p)), slot]
    return np.where(positive > 0, token, -1).astype(np.int64)
