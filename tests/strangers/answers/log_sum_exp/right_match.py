# Right: match on the number of axes, a single row apart from many, one-letter names.
import numpy as np


def _many(x):
    m = x.max(-1)
    s = np.nan_to_num(m, neginf=0.0)
    return s + np.log(np.exp(x - s[..., None]).sum(-1))


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    match x.ndim:
        case 1:
            (only,) = _many(x[None])
            return only
        case _:
            return _many(x)
