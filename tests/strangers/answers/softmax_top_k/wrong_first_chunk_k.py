# Wrong: the state begins with the top of the first chunk, so that k larger than this chunk is cut down for good.
# Breaks: "Returns p (R, k)", "C_k >= 1, not all equally wide".
import numpy as np


def softmax_top_k(chunks, k):
    top, seen = None, 0
    for X in chunks:
        if top is None:
            kk = min(k, X.shape[1])
            m = np.full(X.shape[0], -np.inf, np.float32)
            l = np.zeros(X.shape[0], np.float32)
            top = np.full((X.shape[0], kk), -np.inf, np.float32)
            index = np.full((X.shape[0], kk), -1, np.int64)
        m_new = np.maximum(m, X.max(axis=1))
        safe = np.where(np.isneginf(m_new), np.float32(0), m_new)
        l = l * np.exp(m - safe) + np.exp(X - safe[:, None]).sum(axis=1)
        m = m_new
        cols = np.broadcast_to(np.arange(seen, seen + X.shape[1]), X.shape)
        seen += X.shape[1]
        both, idx = np.hstack([top, X]), np.hstack([index, cols])
        best = np.argsort(-both, axis=1)[:, :kk]
        top, index = np.take_along_axis(both, best, 1), np.take_along_axis(idx, best, 1)
    index[np.isneginf(top)] = -1
    safe = np.where(np.isneginf(m), np.float32(0), m)
    p = np.exp(top - safe[:, None]) / np.where(l > 0, l, np.float32(1))[:, None]
    if top.shape[1] < k:
        pad = k - top.shape[1]
        p = np.pad(p, ((0, 0), (0, pad)))
        index = np.pad(index, ((0, 0), (0, pad)), constant_values=-1)
    return p, index
