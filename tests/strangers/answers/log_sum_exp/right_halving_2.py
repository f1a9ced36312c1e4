# Right within its contract: folds the row in halves by a hand-made logaddexp, so that logarithms are taken at every level and no row maximum is ever known.
# Breaks: "L = m + log sum_j exp(x_j - m),        m = max_j x_j" and "Forbidden: softmax, logsumexp, logaddexp" (its own copy of it)
import numpy as np


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    a = x.astype(np.float64)
    while a.shape[-1] > 1:
        half = (a.shape[-1] + 1) // 2
        low, high = a[..., :half].copy(), a[..., half:]
        part = low[..., : high.shape[-1]]
        gap = np.abs(part - high)
        gap[np.isnan(gap)] = 0
        top = np.where(part > high, part, high)
        part[...] = top + np.log1p(np.exp(-gap))
        a = low
    return a[..., 0].astype(x.dtype)
