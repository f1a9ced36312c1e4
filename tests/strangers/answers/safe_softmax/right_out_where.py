# Numpy ufuncs with out= and where= arguments instead of np.where; one working buffer.
import numpy as np


def safe_softmax(x: np.ndarray) -> np.ndarray:
    top = np.max(x, axis=-1, keepdims=True)
    np.copyto(top, 0, where=np.isneginf(top))
    y = np.subtract(x, top)
    np.exp(y, out=y)
    total = np.add.reduce(y, axis=-1, keepdims=True)
    np.divide(y, total, out=y, where=total > 0)
    return y
