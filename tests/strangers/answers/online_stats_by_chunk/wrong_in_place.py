# Wrong: each chunk is overwritten with its own exponentials.
# Breaks: "Arguments stay as they are, and results are new memory."
import numpy as np


def online_stats_by_chunk(chunks):
    m, l = np.float32(-np.inf), np.float32(0)
    for X in chunks:
        m_new = np.maximum(m, X.max(axis=1))
        shift = np.where(m_new == -np.inf, np.float32(0), m_new)
        X -= shift[:, None]
        np.exp(X, out=X)
        l = l * np.exp(m - shift) + X.sum(axis=1)
        m = m_new
    return m, l
