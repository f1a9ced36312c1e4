# attend puts the ring in order in new memory, as in StreamingLLM's code.
import torch
from torch import Tensor


class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        n, slots = k.shape[0], self.k.shape[0]
        skip = max(0, n - slots)
        where = torch.arange(self.length + skip, self.length + n) % slots
        self.k[where] = k[skip:]
        self.v[where] = v[skip:]
        self.length += n

    def positions(self) -> Tensor:
        slots = self.k.shape[0]
        slot = torch.arange(slots)
        last = self.length - 1
        p = last - (last - slot) % slots
        return torch.where(p < 0, -1, p) if self.length else torch.full((slots,), -1)

    def attend(self, q: Tensor) -> Tensor:
        n, slots = q.shape[0], self.k.shape[0]
        first = self.length - n
        if first < 0 or max(0, first - self.window + 1) < self.length - slots:
            raise LookupError(n)
        p, order = self.positions().sort()
        ring_k, ring_v = self.k[order], self.v[order]
        rows = torch.arange(first, self.length)[:, None]
        seen = (p >= 0) & (p <= rows) & (p > rows - self.window)
        s = (q @ ring_k.T) * q.shape[1] ** -0.5
        weights = torch.softmax(s.masked_fill(~seen, -torch.inf), dim=-1)
        return weights @ ring_v
