# Sums with einsum against ones; the shift of a masked row comes from nan_to_num.
import numpy as np
from collections.abc import Iterable


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = x.max(-1)
    shift = np.nan_to_num(m, neginf=0.0)
    l = np.einsum("...n,n->...", np.exp(x - shift[..., None]), np.ones(x.shape[-1], x.dtype))
    return np.where(l > 0, m + np.log(np.where(l > 0, l, 1)), -np.inf).astype(x.dtype)[()]
