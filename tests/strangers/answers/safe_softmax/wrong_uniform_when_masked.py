# A fully masked row gives 1/N each, as some libraries do.
import numpy as np
from collections.abc import Iterable


def safe_softmax(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    p = np.exp(x - np.where(m == -np.inf, 0, m).astype(x.dtype))
    l = p.sum(axis=-1, keepdims=True)
    return np.where(l == 0, np.float32(1 / x.shape[-1]), p / np.where(l == 0, 1, l)).astype(x.dtype)
