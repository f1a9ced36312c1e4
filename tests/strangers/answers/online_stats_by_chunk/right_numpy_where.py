# Style: numpy veteran: vectors m and l, a shift that is 0 where nothing has been seen.
from collections.abc import Iterable

import numpy as np


def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m = l = None
    for chunk in chunks:
        if m is None:
            m = np.full(len(chunk), -np.inf, dtype=chunk.dtype)
            l = np.zeros_like(m)
        m_new = np.maximum(m, chunk.max(axis=1))
        shift = np.where(np.isneginf(m_new), m_new.dtype.type(0), m_new)
        l = l * np.exp(m - shift) + np.exp(chunk - shift[:, None]).sum(axis=1)
        m = m_new
    return m, l
