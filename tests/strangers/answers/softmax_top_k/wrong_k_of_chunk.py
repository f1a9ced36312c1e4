# WRONG: starts from empty slots instead of k slots of -inf: a row with fewer than k columns comes back with fewer than k slots (slots left over hold p = 0 and index = -1)
from collections.abc import Iterable

import numpy as np


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    m = l = top = index = None
    column = 0
    for chunk in chunks:
        rows, width = chunk.shape
        if m is None:
            m, l = np.full(rows, -np.inf, chunk.dtype), np.zeros(rows, chunk.dtype)
            top = np.empty((rows, 0), chunk.dtype)
            index = np.empty((rows, 0), np.int64)
        new = np.maximum(m, chunk.max(axis=1))
        shift = np.where(np.isneginf(new), np.float32(0), new)
        l = l * np.exp(m - shift) + np.exp(chunk - shift[:, None]).sum(axis=1)
        m = new
        every = np.concatenate([top, chunk], axis=1)
        numbers = np.where(np.isneginf(chunk), -1, np.arange(column, column + width))
        place = np.concatenate([index, numbers], axis=1)
        order = np.argsort(every, axis=1)[:, ::-1][:, :k]
        top, index = np.take_along_axis(every, order, 1), np.take_along_axis(place, order, 1)
        column += width
    shift = np.where(np.isneginf(m), np.float32(0), m)
    p = np.exp(top - shift[:, None]) / np.where(l == 0, np.float32(1), l)[:, None]
    return p, index
