# Right: beginner's style, row by row over ndindex, commented attempts, asserts at the end
import numpy as np


def naive_softmax(x: np.ndarray) -> np.ndarray:
    # attempt 1: return np.exp(x) / np.exp(x).sum()     <- sums over everything!!
    # attempt 2: return np.exp(x) / np.exp(x).sum(-1)   <- does not broadcast
    result = np.zeros(x.shape, dtype=x.dtype)
    for where in np.ndindex(*x.shape[:-1]):
        e = np.exp(x[where])
        total = 0
        total = total + e.sum()
        result[where] = e / total
    assert result.shape == x.shape, (result.shape, x.shape)
    assert result.dtype == x.dtype
    return result


my_test = np.array([[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]], dtype=np.float32)
print(naive_softmax(my_test))
print("sums:", naive_softmax(my_test).sum(axis=1))
assert np.allclose(naive_softmax(my_test).sum(axis=1), 1)
