# After a long append the pointer restarts at slot 0.
import torch
from torch import Tensor


class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        slots, n = len(self.k), len(k)
        keep = min(n, slots)
        where = (torch.arange(keep) if n > slots else torch.arange(self.length, self.length + n) % slots)
        self.k.index_copy_(0, where, k[n - keep :])
        self.v.index_copy_(0, where, v[n - keep :])
        self.length += n

    def positions(self) -> Tensor:
        slots = len(self.k)
        slot = torch.arange(slots)
        newest = slot + (self.length - 1 - slot) // slots * slots
        return torch.where(newest < 0, -1, newest)

    def attend(self, q: Tensor) -> Tensor:
        n, slots = len(q), len(self.k)
        first = self.length - n
        if first < 0 or max(0, first - self.window + 1) < self.length - slots:
            raise LookupError(n)
        at, i = self.positions(), torch.arange(first, self.length)[:, None]
        seen = (at >= 0) & (at <= i) & (at > i - self.window)
        s = (q @ self.k.T) * q.shape[1] ** -0.5
        return torch.softmax(s.masked_fill(~seen, -torch.inf), 1) @ self.v
