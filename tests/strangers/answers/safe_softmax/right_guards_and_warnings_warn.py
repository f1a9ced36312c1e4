# Right: argument checks with isinstance and raise, warnings.warn for masked rows, from-imports of single functions
import warnings

import numpy as np
from numpy import exp, inf, maximum, newaxis


class MaskedRowWarning(UserWarning):
    """A row in which nothing is visible."""


def safe_softmax(x: np.ndarray) -> np.ndarray:
    """Softmax along the last axis, of scores of any size."""
    if not isinstance(x, np.ndarray):
        raise TypeError(f"an array is needed, not {type(x).__name__}")
    if not np.issubdtype(x.dtype, np.floating):
        raise TypeError(f"floating-point scores are needed, not {x.dtype}")
    m = x.max(axis=-1)[..., newaxis]
    masked = m == -inf
    if masked.any():
        warnings.warn(f"{int(masked.sum())} rows are masked", MaskedRowWarning, stacklevel=2)
    e = exp(x - maximum(m, np.finfo(x.dtype).min))
    l = e.sum(axis=-1, keepdims=True)
    l[masked] = 1
    return e / l
