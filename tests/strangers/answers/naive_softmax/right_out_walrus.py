# Right: numpy expert's in-place ufuncs with out=, walrus, np.add.reduce
import numpy as np


def naive_softmax(x: np.ndarray, *, axis: int = -1) -> np.ndarray:
    """exp(x) / sum(exp(x)), one buffer."""
    np.exp(x, out=(y := np.empty_like(x)))
    np.true_divide(y, np.add.reduce(y, axis=axis, keepdims=True), out=y)
    return y
