# Shifts by the first entry in place of the maximum: overflows when a later entry is 90 larger, and a masked first entry is NaN.
import numpy as np
from collections.abc import Iterable


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = np.where(np.isneginf(x[..., :1]), x.max(axis=-1, keepdims=True), x[..., :1])
    m = np.where(np.isneginf(m), 0, m).astype(x.dtype)
    return m[..., 0] + np.log(np.exp(x - m).sum(axis=-1))
