# Right: cumulative sums in float64, np.argmax of a boolean matrix, np.flip for the last slot, take_along_axis
import numpy as np


def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    """One token for each row, by its probabilities and a random number."""
    over = np.cumsum(p, axis=1, dtype=np.float64) > u[:, None]
    last = p.shape[1] - 1 - np.argmax(p[:, ::-1] > 0, axis=1)
    slot = np.where(over.any(axis=1), over.argmax(axis=1), last)
    token = np.take_along_axis(index, slot[:, None], axis=1).squeeze(1)
    token[~(p > 0).any(axis=1)] = -1
    return token
