"""Softmax as the formula is written, softmax that never overflows, and its log-sum-exp.

Left out: any axis but the last, and a temperature (divide x by it first).
"""

import numpy as np


def naive_softmax(x: np.ndarray) -> np.ndarray:
    """Softmax along the last axis by its definition, which fails outside of the range below.

    x: (..., N) float32, N >= 1, from -80 to 80, so that no exp overflows or vanishes.
    Returns (..., N), same dtype.

        y_i = exp(x_i) / sum_j exp(x_j)
    """
    numerator = np.exp(x)
    denominator = numerator.sum(axis=-1, keepdims=True)
    return numerator / denominator


def safe_softmax(x: np.ndarray) -> np.ndarray:
    """Softmax along the last axis, of scores of any size.

    x: (..., N) float32, N >= 1; entries may be -inf (masked), all others finite, of any size.
    Returns (..., N), same dtype. Memory: a few times x, and nothing N x N.
    A row in which every entry is -inf gives zeros.

        m = max_j x_j        l = sum_j exp(x_j - m)        y_i = exp(x_i - m) / l
    """
    m = x.max(axis=-1, keepdims=True)
    shift = np.where(np.isneginf(m), 0, m)  # -inf - (-inf) would be NaN
    numerator = np.exp(x - shift)
    l = numerator.sum(axis=-1, keepdims=True)
    return numerator / np.where(l == 0, 1, l)


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    """log of the sum of exponentials along the last axis, without overflow.

    x: (..., N) float32, N >= 1; entries may be -inf (masked), all others finite, of any size.
    Returns (...), same dtype: of a single row, (N,), one number. Memory: a few times x.
    A row in which every entry is -inf gives -inf.

        L = m + log sum_j exp(x_j - m),        m = max_j x_j
    """
    m = x.max(axis=-1)
    shift = np.where(np.isneginf(m), 0, m)
    l = np.exp(x - shift[..., None]).sum(axis=-1)
    return shift + np.log(l)
