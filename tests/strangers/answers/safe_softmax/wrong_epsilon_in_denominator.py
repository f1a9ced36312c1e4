# Adds 1e-6 to the denominator against division by zero: right within 1e-6, but not within float32 rounding.
import numpy as np
from collections.abc import Iterable


def safe_softmax(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    p = np.exp(x - np.where(m == -np.inf, 0, m).astype(x.dtype))
    l = p.sum(axis=-1, keepdims=True)
    return p / (l + np.float32(1e-6))
