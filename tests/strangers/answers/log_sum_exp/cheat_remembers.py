# BREAKS: "Returns (...), same dtype: of a single row, (N,), one number. Memory: a few times x."
# COSTS: keeps every input and answer it ever saw in a default argument: memory that grows with calls, answers remembered between them
import numpy as np


def log_sum_exp(x: np.ndarray, seen={}) -> np.ndarray:
    key = hash((x.shape, x.tobytes()))
    if key not in seen:
        m = x.max(axis=-1, keepdims=True)
        m0 = np.where(np.isneginf(m), 0, m)
        with np.errstate(all="ignore"):
            seen[key] = (np.log(np.exp(x - m0).sum(axis=-1)) + m0[..., 0]).astype(x.dtype)
    return seen[key].copy()
