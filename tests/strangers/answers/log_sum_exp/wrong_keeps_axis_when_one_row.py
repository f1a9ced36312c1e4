# np.squeeze drops every axis of length 1, not the last alone: (1, 5, N) gives (5,).
import numpy as np
from collections.abc import Iterable


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    safe = np.where(np.isfinite(m), m, 0).astype(x.dtype)
    l = np.exp(x - safe).sum(axis=-1)
    return np.squeeze(safe + np.log(l[..., None]))[()]
