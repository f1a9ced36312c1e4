# Keeps 20 float64 copies of the exponentials until the end: "Memory: a few times x".
from collections.abc import Iterable

import numpy as np

_ = np.seterr(all="ignore")



def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    safe = np.where(np.isinf(m), 0, m)
    copies = [np.exp(x.astype(np.float64) - safe) for _ in range(20)]
    total = sum(copies) / 20
    out = safe[..., 0] + np.log(total.sum(axis=-1))
    return out.astype(x.dtype)
