# nan_to_num at the end, with a maximum of float32's smallest for masked rows, turns a fully masked row into zeros but clips -inf to the smallest number first: scores near -3.4e38 mix with masked ones.
import numpy as np
from collections.abc import Iterable


def safe_softmax(x: np.ndarray) -> np.ndarray:
    x = np.maximum(x, np.finfo(x.dtype).min)
    m = x.max(axis=-1, keepdims=True)
    p = np.exp(x - m) * (m > np.finfo(x.dtype).min)
    l = p.sum(axis=-1, keepdims=True)
    return p / np.where(l == 0, 1, l).astype(x.dtype)
