# Wrong: the first column of chunk i is taken to be i times the width of the chunk at hand.
# Breaks: "index (R, k) int64, their column numbers in the whole row", chunks "not all equally wide".
import numpy as np


def softmax_top_k(chunks, k):
    m = l = None
    for i, X in enumerate(chunks):
        R, C = X.shape
        if m is None:
            m, l = np.full(R, -np.inf, np.float32), np.zeros(R, np.float32)
            top = np.full((R, k), -np.inf, np.float32)
            index = np.full((R, k), -1, np.int64)
        m_new = np.maximum(m, X.max(axis=1))
        shift = np.where(np.isneginf(m_new), np.float32(0), m_new)
        l = l * np.exp(m - shift) + np.exp(X - shift[:, None]).sum(axis=1)
        m = m_new
        columns = np.broadcast_to(i * C + np.arange(C), (R, C))
        values = np.concatenate([top, X], axis=1)
        where = np.concatenate([index, columns], axis=1)
        order = np.argsort(-values, axis=1, kind="stable")[:, :k]
        top = np.take_along_axis(values, order, axis=1)
        index = np.take_along_axis(where, order, axis=1)
    shift = np.where(np.isneginf(m), np.float32(0), m)
    p = np.exp(top - shift[:, None]) / np.where(l == 0, np.float32(1), l)[:, None]
    return p, np.where(np.isneginf(top), -1, index)
