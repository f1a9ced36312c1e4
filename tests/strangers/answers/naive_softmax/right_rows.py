# style: recursion over the leading axes, down to single rows
import numpy as np


def naive_softmax(x: np.ndarray) -> np.ndarray:
    if x.ndim > 1:
        y = np.empty_like(x)
        for i in range(x.shape[0]):
            y[i] = naive_softmax(x[i])
        return y
    e = np.exp(x)
    return e / np.add.reduce(e)
