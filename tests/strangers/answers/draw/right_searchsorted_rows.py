# Right: cumsum and argmax of a comparison, fallback by reversed argmax, np.select with three conditions
import numpy as np


def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    R, k = p.shape
    above = np.cumsum(p, axis=1) > u[:, None]
    positive = p > 0
    last = k - 1 - positive[:, ::-1].argmax(axis=1)
    slot = np.where(above.any(axis=1), above.argmax(axis=1), last)
    token = np.take_along_axis(index, slot[:, None], axis=1)[:, 0]
    return np.select([positive.any(axis=1)], [token], default=-1)
