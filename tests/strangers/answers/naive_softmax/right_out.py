# Right: C-like numpy, one buffer that is written in place with out=.
import numpy as np


def naive_softmax(x: np.ndarray) -> np.ndarray:
    buffer = np.empty_like(x)
    np.exp(x, out=buffer)
    denominator = buffer.sum(axis=-1, keepdims=True)
    np.divide(buffer, denominator, out=buffer)
    return buffer
