# Treats a maximum below -1e30 as masked as well (the sentinel of GPU kernels): rows of finite, very negative scores give -inf.
import numpy as np
from collections.abc import Iterable


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    safe = np.where(np.isfinite(m), m, 0).astype(x.dtype)
    l = np.exp(x - safe).sum(axis=-1)
    out = safe[..., 0] + np.log(l)
    return np.where(m[..., 0] < -1e30, -np.inf, out).astype(x.dtype)
