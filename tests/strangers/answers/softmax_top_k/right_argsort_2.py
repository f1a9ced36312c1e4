# style: numpy veteran, carries k logits and sorts them with each chunk
from collections.abc import Iterable

import numpy as np


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    m = l = None
    column = 0
    for chunk in chunks:
        rows, width = chunk.shape
        if m is None:
            m = np.full(rows, -np.inf, chunk.dtype)
            l = np.zeros(rows, chunk.dtype)
            top = np.full((rows, k), -np.inf, chunk.dtype)
            index = np.full((rows, k), -1, np.int64)
        new = np.maximum(m, chunk.max(axis=1))
        shift = np.where(np.isneginf(new), np.zeros_like(new), new)
        l = l * np.exp(m - shift) + np.exp(chunk - shift[:, None]).sum(axis=1)
        m = new
        numbers = np.broadcast_to(np.arange(column, column + width), (rows, width))
        numbers = np.where(np.isneginf(chunk), -1, numbers)
        every = np.concatenate([top, chunk], axis=1)
        place = np.concatenate([index, numbers], axis=1)
        order = np.argsort(-every, axis=1, kind="stable")[:, :k]
        top = np.take_along_axis(every, order, axis=1)
        index = np.take_along_axis(place, order, axis=1)
        column += width
    shift = np.where(np.isneginf(m), np.zeros_like(m), m)
    p = np.exp(top - shift[:, None]) / np.where(l == 0, np.ones_like(l), l)[:, None]
    return p, index
