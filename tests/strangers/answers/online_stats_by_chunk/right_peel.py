# Right: the first chunk is peeled off with next, the rest is folded in; out= to save memory.
import numpy as np


def _stats(chunk):
    m = chunk.max(axis=1)
    work = np.subtract(chunk, np.where(np.isinf(m), np.float32(0), m)[:, np.newaxis])
    np.exp(work, out=work)
    return m, work.sum(axis=1)


def online_stats_by_chunk(chunks):
    iterator = iter(chunks)
    m, l = _stats(next(iterator))
    for chunk in iterator:
        m_chunk, l_chunk = _stats(chunk)
        top = np.maximum(m, m_chunk)
        nothing = np.isneginf(top)
        safe = np.where(nothing, np.float32(0), top)
        l = l * np.exp(m - safe) + l_chunk * np.exp(m_chunk - safe)
        m = top
    return m, l
