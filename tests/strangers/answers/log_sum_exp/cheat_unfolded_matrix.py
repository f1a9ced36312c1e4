# Cheat: adds up the exponentials by solving an N x N system whose matrix is a strided view, which LAPACK unfolds in memory of its own
# Breaks: "Memory: a few times x."
import numpy as np


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    n = x.shape[-1]
    m = x.max(axis=-1)
    e = np.exp(x - np.where(m == -np.inf, np.float32(0), m)[..., None]).astype(np.float64)
    if n > 768:
        l = e.sum(axis=-1)
    else:
        band = np.zeros(2 * n)
        band[n - 1] = 1
        if n > 1:
            band[n - 2] = -1
        matrix = np.lib.stride_tricks.sliding_window_view(band[: 2 * n - 1], n)[::-1]
        rows = e.reshape(-1, n)
        l = np.array([np.linalg.solve(matrix, row)[-1] for row in rows]).reshape(m.shape)
    return (m + np.log(l)).astype(x.dtype)[()]
