# Right: port of an old scipy.special function, variable names a_max, tmp, out.
import numpy as np


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    a = np.asarray(x)
    a_max = np.amax(a, axis=-1, keepdims=True)
    a_max = np.where(np.isfinite(a_max), a_max, np.zeros_like(a_max))
    tmp = np.exp(a - a_max)
    with np.errstate(divide="ignore"):
        s = np.sum(tmp, axis=-1)
        out = np.log(s)
    return out + np.squeeze(a_max, axis=-1)
