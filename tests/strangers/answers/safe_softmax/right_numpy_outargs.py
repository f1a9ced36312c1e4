# style: numpy person: where=, out=, errstate, in-place on own memory
import numpy as np


def safe_softmax(x: np.ndarray) -> np.ndarray:
    top = x.max(axis=-1, keepdims=True)
    np.copyto(top, 0, where=np.isneginf(top))  # a fully masked row: subtract nothing
    with np.errstate(all="ignore"):
        y = np.subtract(x, top)
        np.exp(y, out=y)
        denominator = y.sum(axis=-1, keepdims=True)
        np.divide(y, denominator, out=y, where=denominator > 0)
    return y
