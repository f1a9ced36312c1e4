# Computes in float64 for accuracy and forgets to return float32.
import numpy as np
from collections.abc import Iterable


def safe_softmax(x: np.ndarray) -> np.ndarray:
    x = x.astype(np.float64)
    m = x.max(axis=-1, keepdims=True)
    p = np.exp(x - np.where(m == -np.inf, 0, m).astype(x.dtype))
    l = p.sum(axis=-1, keepdims=True)
    return p / np.where(l == 0, 1, l).astype(x.dtype)
