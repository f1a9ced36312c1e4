# Breaks: "between two calls nothing more but a position for each slot" (the last queries and their answers are kept, behind a generator, and given again if the same ones are asked before anything came)
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
        self.memo = iter(())

    def append(self, k: Tensor, v: Tensor) -> None:
        n, slots = len(k), len(self.k)
        kept = min(n, slots)
        where = torch.arange(self.length + n - kept, self.length + n) % slots
        self.k[where], self.v[where] = k[n - kept :], v[n - kept :]
        self.length += n
        if n:
            self.memo = iter(())

    def positions(self) -> Tensor:
        newest = self.length - 1
        position = newest - (newest - torch.arange(len(self.k))) % len(self.k)
        return position.clamp(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        n, slots = len(q), len(self.k)
        first = self.length - n
        if first < 0 or max(first - self.window + 1, 0) < self.length - slots:
            raise LookupError
        for known, o in self.memo:
            if known.shape == q.shape and torch.equal(known, q):
                self.memo = iter([(known, o)])
                return o.clone()
        row, position = torch.arange(first, self.length)[:, None], self.positions()
        hidden = (position < 0) | (position > row) | (position <= row - self.window)
        s = (q @ self.k.T / q.shape[1] ** 0.5).masked_fill(hidden, -torch.inf)
        o = torch.softmax(s, dim=1) @ self.v
        self.memo = iter([(q.clone(), o.clone())])
        return o
