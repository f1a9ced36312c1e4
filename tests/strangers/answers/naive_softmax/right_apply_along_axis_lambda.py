# Right: np.apply_along_axis with a lambda over rows, einsum for the sum
import numpy as np

naive_softmax_of_row = lambda row: (e := np.exp(row)) / np.einsum("i->", e)  # noqa: E731


def naive_softmax(x: np.ndarray) -> np.ndarray:
    return np.apply_along_axis(naive_softmax_of_row, -1, x).astype(x.dtype, copy=False)
