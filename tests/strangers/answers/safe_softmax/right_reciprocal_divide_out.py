# ufuncs with out= and where= on the function's own buffer.
import numpy as np
from collections.abc import Iterable


def safe_softmax(x: np.ndarray) -> np.ndarray:
    y = np.array(x, order="C", copy=True)
    top = np.maximum.reduce(y, axis=-1, keepdims=True)
    np.copyto(top, 0, where=top == -np.inf)
    np.exp(np.subtract(y, top, out=y), out=y)
    l = np.add.reduce(y, axis=-1, keepdims=True)
    return np.divide(y, l, out=y, where=l != 0)
