# style: functools.reduce over the stream with a pure function
import functools
from collections.abc import Iterable

import numpy as np


def _absorb(state, chunk):
    m_new = chunk.max(axis=1)
    l_new = np.zeros_like(m_new)
    if state is not None:
        m_old, l_old = state
        m_new = np.maximum(m_old, m_new)
    ref = np.where(np.isneginf(m_new), np.zeros_like(m_new), m_new)
    if state is not None:
        l_new = l_old * np.exp(m_old - ref)
    l_new = l_new + np.exp(chunk - ref[:, np.newaxis]).sum(axis=1)
    return m_new, l_new


def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    return functools.reduce(_absorb, chunks, None)
