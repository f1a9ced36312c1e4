# A single row gives a Python number through item().
import numpy as np
from collections.abc import Iterable


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    safe = np.where(np.isfinite(m), m, 0).astype(x.dtype)
    l = np.exp(x - safe).sum(axis=-1)
    out = safe[..., 0] + np.log(l)
    return out if out.ndim else out.item()
