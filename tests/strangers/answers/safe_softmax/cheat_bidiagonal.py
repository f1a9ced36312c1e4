# Cheat: adds up a row by solving an N x N bidiagonal system, given as a strided view of 2 N numbers but copied whole by LAPACK's workspace
# Breaks: "Memory: a few times x, and nothing N x N."
import numpy as np


def safe_softmax(x: np.ndarray) -> np.ndarray:
    n = x.shape[-1]
    m = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(m == -np.inf, np.float32(0), m))
    if n > 768:
        l = e.sum(axis=-1, keepdims=True)
    else:
        band = np.zeros(2 * n)
        band[n - 1] = 1
        if n > 1:
            band[n - 2] = -1
        # Row i of the matrix is band[n - 1 - i : 2 n - 1 - i]: 1 on the diagonal, -1 left of it.
        matrix = np.lib.stride_tricks.sliding_window_view(band[: 2 * n - 1], n)[::-1]
        rows = e.reshape(-1, n)
        l = np.empty((rows.shape[0], 1))
        for i, row in enumerate(rows):
            l[i] = np.linalg.solve(matrix, row.astype(np.float64))[-1]
        l = l.reshape(m.shape).astype(x.dtype)
    return e / np.where(l == 0, x.dtype.type(1), l)
