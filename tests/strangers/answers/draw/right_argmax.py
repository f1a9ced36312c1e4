# style: argmax of a boolean matrix, np.cumsum in float64, np.select
import numpy as np


def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    k = p.shape[1]
    beyond = np.cumsum(p, axis=1, dtype=np.float64) > u[:, None]
    first = beyond.argmax(axis=1)
    last = k - 1 - (p[:, ::-1] > 0).argmax(axis=1)
    slot = np.where(beyond.any(axis=1), first, last)
    token = index[np.arange(len(p)), slot]
    return np.select([~(p > 0).any(axis=1)], [np.int64(-1)], default=token)
