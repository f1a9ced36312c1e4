# Slots from positions modulo the number of slots, index_copy_ for writing, position vector kept up to date.
import torch
from torch import Tensor


class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0
        self.at = torch.full((slots,), -1)

    def append(self, k: Tensor, v: Tensor) -> None:
        slots, n = len(self.k), len(k)
        kept = min(n, slots)
        self.length += n
        coming = torch.arange(self.length - kept, self.length)
        where = coming % slots
        self.k.index_copy_(0, where, k[n - kept :])
        self.v.index_copy_(0, where, v[n - kept :])
        self.at.index_copy_(0, where, coming)

    def positions(self) -> Tensor:
        return self.at.clone()

    def attend(self, q: Tensor) -> Tensor:
        n = len(q)
        first = self.length - n
        if first < 0:
            raise LookupError("fewer tokens than queries")
        if max(0, first - self.window + 1) < self.length - len(self.k):
            raise LookupError("a key that is seen is gone")
        p = torch.arange(first, self.length)[:, None]
        seen = (self.at >= 0) & (self.at <= p) & (self.at > p - self.window)
        s = (q @ self.k.T) * self.k.shape[1] ** -0.5
        return torch.softmax(s.masked_fill(~seen, -torch.inf), dim=-1) @ self.v
