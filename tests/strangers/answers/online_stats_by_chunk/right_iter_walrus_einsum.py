# Right: while with walrus and next(it, None), einsum as a sum, out= arguments
from collections.abc import Iterable

import numpy as np


def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Maximum and denominator of the softmax of every row, in one pass over chunks of columns."""
    it = iter(chunks)
    X = next(it)
    m = np.full(X.shape[0], -np.inf, dtype=X.dtype)
    l = np.zeros_like(m)
    while X is not None:
        m_new = np.maximum(m, X.max(1))
        pivot = np.where(np.isneginf(m_new), X.dtype.type(0), m_new)
        np.multiply(l, np.exp(m - pivot), out=l)
        np.add(l, np.einsum("rc->r", np.exp(X - pivot[:, None])), out=l)
        m, X = m_new, next(it, None)
    return m, l
