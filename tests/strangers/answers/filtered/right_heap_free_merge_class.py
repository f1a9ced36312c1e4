# Right: stable argsort on a concatenated buffer per chunk, itertools.count-free offsets, float64 for probabilities, slots dataclass
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np


@dataclass(slots=True)
class Best:
    k: int
    value: np.ndarray | None = None
    index: np.ndarray | None = None
    seen: int = field(default=0)

    def absorb(self, chunk: np.ndarray) -> None:
        rows, width = chunk.shape
        if self.value is None:
            self.value = np.full((rows, self.k), -np.inf, np.float32)
            self.index = np.full((rows, self.k), -1, np.int64)
        here = np.broadcast_to(np.arange(self.seen, self.seen + width), chunk.shape)
        value = np.concatenate((self.value, chunk), axis=1)
        index = np.concatenate((self.index, here), axis=1)
        order = np.argsort(-value, axis=1, kind="stable")[:, : self.k]
        self.value = np.take_along_axis(value, order, axis=1)
        self.index = np.take_along_axis(index, order, axis=1)
        self.seen += width


def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    best = Best(k)
    for chunk in chunks:
        best.absorb(chunk)
    z, index = best.value.astype(np.float64), best.index
    real = z > -np.inf
    if temperature == 0:
        real[:, 1:] = False
        temperature = 1.0
    top = np.where(real[:, :1], z[:, :1], 0.0)
    e = np.where(real, np.exp((z - top) / temperature), 0.0)
    total = e.sum(axis=1, keepdims=True)
    q = e / np.where(total > 0, total, 1.0)
    if p < 1:
        before = np.cumsum(q, axis=1) - q
        before[:, 0] = 0.0
        real &= before < p
        q = np.where(real, q, 0.0)
        kept = q.sum(axis=1, keepdims=True)
        q /= np.where(kept > 0, kept, 1.0)
    return np.where(real, q, 0.0).astype(np.float32), np.where(real, index, -1)
