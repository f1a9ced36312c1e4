# style: class with small private methods, remainder indexing, index_copy
import torch
from torch import Tensor


class RollingCache:
    """A ring of keys and values."""

    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    @property
    def slots(self) -> int:
        return len(self.k)

    def append(self, k: Tensor, v: Tensor) -> None:
        n = len(k)
        kept = min(n, self.slots)
        where = torch.arange(self.length + n - kept, self.length + n) % self.slots
        self.k[where] = k[n - kept :]
        self.v[where] = v[n - kept :]
        self.length += n

    def positions(self) -> Tensor:
        last = self.length - 1
        slot = torch.arange(self.slots)
        position = last - torch.remainder(last - slot, self.slots)
        return position.clamp(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        n, d = q.shape
        if n > self.length:
            raise LookupError(f"{n} queries, but only {self.length} tokens came")
        first = self.length - n
        oldest = max(first - self.window + 1, 0)
        if oldest < self.length - self.slots:
            raise LookupError(f"key {oldest} was replaced by key {oldest + self.slots}")
        mine = torch.arange(first, self.length)[:, None]
        held = self.positions()
        seen = (held >= 0) & (held <= mine) & (held > mine - self.window)
        s = (q @ self.k.T) / d**0.5
        return s.masked_fill(~seen, -torch.inf).softmax(dim=1) @ self.v
