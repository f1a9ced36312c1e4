# A slot whose probability underflows to 0 loses its column, as if the entry had been masked.
from collections.abc import Iterable

import numpy as np


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    m = l = top = index = None
    seen = 0
    for chunk in chunks:
        rows, width = chunk.shape
        if m is None:
            m, l = np.full(rows, -np.inf, np.float32), np.zeros(rows, np.float32)
            top, index = np.full((rows, k), -np.inf, np.float32), np.full((rows, k), -1)
        new = np.maximum(m, chunk.max(axis=1))
        base = np.where(new == -np.inf, np.float32(0), new)
        l = l * np.exp(m - base) + np.exp(chunk - base[:, None]).sum(axis=1)
        m = new
        values = np.concatenate([top, chunk], axis=1)
        numbers = np.broadcast_to(np.arange(seen, seen + width), chunk.shape)
        numbers = np.concatenate([index, numbers], axis=1)
        order = np.argsort(-values, axis=1, kind="stable")[:, :k]
        top = np.take_along_axis(values, order, axis=1)
        index = np.take_along_axis(numbers, order, axis=1)
        seen += width
    base = np.where(m == -np.inf, np.float32(0), m)
    p = np.exp(top - base[:, None]) / np.where(l == 0, np.float32(1), l)[:, None]
    return p, np.where(p > 0, index, -1)
