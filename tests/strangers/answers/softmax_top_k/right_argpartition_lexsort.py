# Right: np.argpartition, take_along_axis, class with __iadd__ for the stats, enumerate with running offset
from collections.abc import Iterable

import numpy as np


class TopK:
    """Running maximum, denominator and the k best of R rows."""

    def __init__(self, rows, k, dtype):
        self.k, self.seen = k, 0
        self.m = np.full(rows, -np.inf, dtype)
        self.l = np.zeros(rows, dtype)
        self.value = np.full((rows, k), -np.inf, dtype)
        self.index = np.full((rows, k), -1, np.int64)

    def __iadd__(self, X):
        m = np.maximum(self.m, X.max(axis=1))
        ref = np.where(m == -np.inf, 0, m).astype(X.dtype)
        self.l = self.l * np.exp(self.m - ref) + np.exp(X - ref[:, None]).sum(axis=1)
        self.m = m
        here = np.arange(self.seen, self.seen + X.shape[1])
        value = np.concatenate([self.value, X], axis=1)
        index = np.concatenate([self.index, np.broadcast_to(here, X.shape)], axis=1)
        best = np.argpartition(-value, self.k - 1, axis=1)[:, : self.k]
        self.value = np.take_along_axis(value, best, 1)
        self.index = np.take_along_axis(index, best, 1)
        self.seen += X.shape[1]
        return self

    def result(self):
        order = np.argsort(-self.value, axis=1, kind="stable")
        value = np.take_along_axis(self.value, order, 1)
        index = np.take_along_axis(self.index, order, 1)
        empty = value == -np.inf
        ref = np.where(self.m == -np.inf, 0, self.m).astype(value.dtype)
        p = np.exp(value - ref[:, None]) / np.where(self.l == 0, 1, self.l).astype(value.dtype)[:, None]
        return np.where(empty, 0, p).astype(value.dtype), np.where(empty, -1, index)


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    top = None
    for X in chunks:
        if top is None:
            top = TopK(X.shape[0], k, X.dtype)
        top += X
    return top.result()
