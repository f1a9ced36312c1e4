# BREAKS: "Memory: slots (d + d_v) numbers, however long the sequence"
# COSTS: every token that ever came is kept, in a chain that hangs on the ring tensor: memory grows with the sequence
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


class RollingCache:

    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    def append(self, k: Tensor, v: Tensor) -> None:
        slots, n = len(self.k), len(k)
        self.k.past = (getattr(self.k, "past", None), k, v)
        keep = min(n, slots)
        where = torch.arange(self.length + n - keep, self.length + n) % slots
        self.k[where], self.v[where] = k[n - keep :], v[n - keep :]
        self.length += n

    def positions(self) -> Tensor:
        slots = len(self.k)
        slot = torch.arange(slots)
        p = self.length - 1 - (self.length - 1 - slot) % slots
        return torch.where(p < 0, -1, p)

    def attend(self, q: Tensor) -> Tensor:
        n, slots = len(q), len(self.k)
        first = max(0, self.length - n - self.window + 1)
        if n > self.length or first < self.length - slots:
            raise LookupError
        p = self.positions()
        at = torch.arange(self.length - n, self.length)[:, None]
        s = q @ self.k.mT * q.shape[1] ** -0.5
        s = s.masked_fill((p < 0) | (p > at) | (p <= at - self.window), -torch.inf)
        w = torch.exp(s - s.amax(dim=1, keepdim=True))
        return w @ self.v / w.sum(dim=1, keepdim=True)
