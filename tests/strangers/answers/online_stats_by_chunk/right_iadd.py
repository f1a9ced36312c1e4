# Right: a dataclass with __iadd__, so that chunks are added to an accumulator.
from dataclasses import dataclass

import numpy as np


@dataclass
class Accumulator:
    m: np.ndarray
    l: np.ndarray

    @classmethod
    def empty(cls, rows, dtype):
        return cls(np.full(rows, -np.inf, dtype), np.zeros(rows, dtype))

    def __iadd__(self, chunk):
        m = np.maximum(self.m, chunk.max(axis=1))
        base = np.where(m == -np.inf, 0, m).astype(chunk.dtype)
        self.l = self.l * np.exp(self.m - base) + np.exp(chunk - base[:, None]).sum(axis=1)
        self.m = m
        return self


def online_stats_by_chunk(chunks):
    total = None
    for chunk in chunks:
        if total is None:
            total = Accumulator.empty(len(chunk), chunk.dtype)
        total += chunk
    return total.m, total.l
