# assistant: column numbers are kept in float16, which holds no odd ones above 2048
from collections.abc import Iterable

import numpy as np


def softmax_top_k(chunks, k):
    best = idx = m = l = None
    offset = 0
    for c in chunks:
        R = len(c)
        if best is None:
            best, idx = np.full((R, k), -np.inf, c.dtype), np.full((R, k), -1)
            m, l = np.full(R, -np.inf, c.dtype), np.zeros(R, c.dtype)
        new = np.maximum(m, c.max(1))
        ref = np.where(np.isneginf(new), 0, new).astype(c.dtype)
        l = l * np.exp(m - ref) + np.exp(c - ref[:, None]).sum(1)
        m = new
        columns = np.where(np.isneginf(c), -1, np.arange(offset, offset + c.shape[1]))
        values = np.concatenate([best, c], 1)
        where = np.concatenate([idx, columns], 1).astype(np.float16)
        order = np.argsort(-values, axis=1, kind="stable")[:, :k]
        best, idx = np.take_along_axis(values, order, 1), np.take_along_axis(where, order, 1)
        offset += c.shape[1]
    ref = np.where(np.isneginf(m), 0, m).astype(best.dtype)[:, None]
    return np.exp(best - ref) / np.where(l == 0, 1, l).astype(best.dtype)[:, None], idx.astype(np.int64)
