# A small class that is fed chunks, keeps sorted candidates and gives the answer at the end.
from collections.abc import Iterable

import numpy as np


class _Best:
    def __init__(self, rows, k, dtype):
        self.top = np.full((rows, k), -np.inf, dtype)
        self.index = np.full((rows, k), -1, np.int64)
        self.m, self.l = np.full((rows, 1), -np.inf, dtype), np.zeros((rows, 1), dtype)
        self.k, self.seen = k, 0

    def feed(self, chunk):
        m = np.maximum(self.m, chunk.max(axis=1, keepdims=True))
        base = self.base(m)
        self.l = self.l * np.exp(self.m - base) + np.exp(chunk - base).sum(axis=1, keepdims=True)
        self.m = m
        columns = np.arange(self.seen, self.seen + chunk.shape[1], dtype=np.int64)
        columns = np.where(np.isneginf(chunk), np.int64(-1), columns[None, :])
        values = np.concatenate((self.top, chunk), axis=1)
        numbers = np.concatenate((self.index, columns), axis=1)
        order = np.argsort(-values, axis=1, kind="stable")[:, : self.k]
        self.top = np.take_along_axis(values, order, axis=1)
        self.index = np.take_along_axis(numbers, order, axis=1)
        self.seen += chunk.shape[1]

    @staticmethod
    def base(m):
        return np.where(np.isneginf(m), np.zeros_like(m), m)

    def answer(self):
        l = np.where(self.l == 0, np.ones_like(self.l), self.l)
        return np.exp(self.top - self.base(self.m)) / l, self.index


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    best = None
    for chunk in chunks:
        if best is None:
            best = _Best(len(chunk), k, chunk.dtype)
        best.feed(chunk)
    return best.answer()
