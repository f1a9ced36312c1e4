# Right within its contract: the scores with the newest tokens themselves, the triangle of the chunk, are computed twice: with the ring, and apart as the first guess of the maximum
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        n, slots = len(k), len(self.k)
        kept = min(n, slots)
        where = torch.arange(self.length + n - kept, self.length + n) % slots
        self.k[where], self.v[where] = k[n - kept :], v[n - kept :]
        self.length += n

    def positions(self) -> Tensor:
        newest = self.length - 1
        position = newest - (newest - torch.arange(len(self.k))) % len(self.k)
        return position.clamp(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        n, slots = len(q), len(self.k)
        first = self.length - n
        if first < 0 or max(first - self.window + 1, 0) < self.length - slots:
            raise LookupError
        row, position = torch.arange(first, self.length)[:, None], self.positions()
        hidden = (position < 0) | (position > row) | (position <= row - self.window)
        s = (q @ self.k.T / q.shape[1] ** 0.5).masked_fill(hidden, -torch.inf)
        own = torch.linalg.vecdot(q, self.k[row[:, 0] % slots]) / q.shape[1] ** 0.5
        top = torch.maximum(own[:, None], s.amax(1, keepdim=True))
        p = torch.exp(s - top)
        return (p @ self.v) / p.sum(1, keepdim=True)
