# Shifts the argument in place, which saves a copy and changes the caller's array.
import numpy as np
from collections.abc import Iterable


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    safe = np.where(np.isfinite(m), m, 0).astype(x.dtype)
    x -= safe
    l = np.exp(x).sum(axis=-1)
    return safe[..., 0] + np.log(l)
