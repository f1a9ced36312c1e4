# Right: index_copy_ into the ring, properties for the newest and the oldest position, f-string errors.
import torch
from torch import Tensor


class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    @property
    def slots(self) -> int:
        return len(self.k)

    @property
    def newest(self) -> int:
        return self.length - 1

    def append(self, k: Tensor, v: Tensor) -> None:
        n = len(k)
        kept = min(n, self.slots)
        where = torch.arange(self.length + n - kept, self.length + n) % self.slots
        self.k.index_copy_(0, where, k[n - kept :])
        self.v.index_copy_(0, where, v[n - kept :])
        self.length += n

    def positions(self) -> Tensor:
        age = torch.remainder(self.newest - torch.arange(self.slots), self.slots)
        return (self.newest - age).clamp(min=-1)

    def attend(self, q: Tensor) -> Tensor:
        n, d = q.shape
        first = self.length - n
        if first < 0:
            raise LookupError(f"{n} queries, {self.length} tokens")
        oldest_wanted = max(0, first - self.window + 1)
        if oldest_wanted < self.length - self.slots:
            raise LookupError(f"token {oldest_wanted} has been replaced")
        j = self.positions()
        p = torch.arange(first, self.length)[:, None]
        seen = (j >= 0) & (j <= p) & (p - j < self.window)
        scores = (q @ self.k.T * d**-0.5).masked_fill(~seen, -torch.inf)
        return torch.softmax(scores, dim=1) @ self.v
