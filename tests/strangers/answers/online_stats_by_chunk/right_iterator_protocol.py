# Right: iter/next with sentinel loop and walrus, in-place out= updates on state arrays, logaddexp-free; while True
from collections.abc import Iterable

import numpy as np


def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    it = iter(chunks)
    first = next(it)
    m = first.max(axis=1)
    ref = np.where(m == -np.inf, 0, m).astype(first.dtype)
    l = np.exp(first - ref[:, None]).sum(axis=1)
    del first
    while (X := next(it, None)) is not None:
        m_new = np.maximum(m, X.max(axis=1))
        ref = np.where(m_new == -np.inf, 0, m_new).astype(X.dtype)
        np.multiply(l, np.exp(m - ref), out=l)
        l += np.exp(X - ref.reshape(-1, 1)).sum(axis=1)
        m = m_new
        # print(X.shape, m[:3], l[:3])
    return m, l
