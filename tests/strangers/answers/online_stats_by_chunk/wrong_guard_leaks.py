# Wrong: the 0 that stands in for a maximum of -inf is kept as the running maximum, so that later negative scores underflow.
# Breaks: "m_k = max(m_{k-1}, max_j X_kj)" and "Entries may be -inf (masked); others have any size."
import numpy as np


def online_stats_by_chunk(chunks):
    m = l = None
    for X in chunks:
        if m is None:
            m = np.full(X.shape[0], -np.inf, X.dtype)
            l = np.zeros(X.shape[0], X.dtype)
        m_new = np.maximum(m, X.max(axis=1))
        m_new = np.where(np.isneginf(m_new), 0, m_new).astype(X.dtype)
        l = l * np.exp(m - m_new) + np.exp(X - m_new[:, None]).sum(axis=1)
        m = m_new
    return np.where(l == 0, -np.inf, m).astype(np.float32), l
