# Functools.reduce with a small pure step function and a walrus, the first chunk starts the state.
from collections.abc import Iterable
from functools import reduce

import numpy as np


def _finite(m):
    return np.where(np.isneginf(m), np.zeros_like(m), m)


def _alone(chunk):
    m = chunk.max(axis=1)
    return m, np.exp(chunk - _finite(m)[:, None]).sum(axis=1)


def _step(state, chunk):
    m_old, l_old = state
    m_new, l_new = _alone(chunk)
    shift = _finite(m := np.maximum(m_old, m_new))
    return m, l_old * np.exp(m_old - shift) + l_new * np.exp(m_new - shift)


def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    chunks = iter(chunks)
    return reduce(_step, chunks, _alone(next(chunks)))
