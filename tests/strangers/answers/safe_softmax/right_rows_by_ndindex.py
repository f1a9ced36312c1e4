# A loop over np.ndindex, each row on its own with boolean indexing of what is not masked.
import numpy as np
from collections.abc import Iterable


def safe_softmax(x: np.ndarray) -> np.ndarray:
    y = np.zeros(x.shape, x.dtype)
    for at in np.ndindex(x.shape[:-1]):
        if (seen := x[at] > -np.inf).any():
            weights = np.exp(x[at][seen] - max(x[at][seen]))
            y[at][seen] = weights / weights.sum()
    return y
