# style: dataclass lover: state object with methods, classmethod constructor, type annotations
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


@dataclass
class TopK:
    m: np.ndarray
    l: np.ndarray
    values: np.ndarray
    columns: np.ndarray
    seen: int = 0

    @classmethod
    def empty(cls, rows: int, k: int, dtype: np.dtype) -> TopK:
        return cls(
            m=np.full(rows, -np.inf, dtype),
            l=np.zeros(rows, dtype),
            values=np.full((rows, k), -np.inf, dtype),
            columns=np.full((rows, k), -1, np.int64),
        )

    def update(self, chunk: np.ndarray) -> None:
        rows, width = chunk.shape
        k = self.values.shape[1]
        m = np.maximum(self.m, chunk.max(axis=1))
        base = np.where(np.isneginf(m), np.zeros_like(m), m)
        self.l = self.l * np.exp(self.m - base) + np.exp(chunk - base[:, None]).sum(axis=1)
        self.m = m
        numbers = np.broadcast_to(np.arange(self.seen, self.seen + width), (rows, width))
        values = np.concatenate([self.values, chunk], axis=1)
        columns = np.concatenate([self.columns, numbers], axis=1)
        best = np.argsort(-values, axis=1, kind="stable")[:, :k]
        self.values = np.take_along_axis(values, best, axis=1)
        self.columns = np.take_along_axis(columns, best, axis=1)
        self.seen += width

    def result(self) -> tuple[np.ndarray, np.ndarray]:
        base = np.where(np.isneginf(self.m), np.zeros_like(self.m), self.m)
        l = np.where(self.l == 0, np.ones_like(self.l), self.l)
        p = np.exp(self.values - base[:, None]) / l[:, None]
        return p, np.where(np.isneginf(self.values), -1, self.columns)


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    state: TopK | None = None
    for chunk in chunks:
        state = state or TopK.empty(chunk.shape[0], k, chunk.dtype)
        state.update(chunk)
    assert state is not None, "no chunk came"
    return state.result()
