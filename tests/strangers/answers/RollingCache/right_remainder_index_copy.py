# Right: torch.remainder and index_copy_, positions by arithmetic from the length, dataclass-free properties, %-formatting
import torch
from torch import Tensor


class RollingCache:
    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    @property
    def slots(self) -> int:
        return len(self.k)

    def append(self, k: Tensor, v: Tensor) -> None:
        n = len(k)
        kept = min(n, self.slots)
        end = self.length + n
        where = torch.arange(end - kept, end).remainder_(self.slots)
        self.k.index_copy_(0, where, k[n - kept :])
        self.v.index_copy_(0, where, v[n - kept :])
        self.length = end

    def positions(self) -> Tensor:
        newest = self.length - 1
        slot = torch.arange(self.slots)
        p = newest - torch.remainder(newest - slot, self.slots)
        return torch.where(p < 0, -1, p)

    def attend(self, q: Tensor) -> Tensor:
        n = len(q)
        first = self.length - n
        oldest_needed = max(0, first - self.window + 1)
        if n > self.length or oldest_needed < self.length - self.slots:
            raise LookupError("%d queries, %d tokens, %d slots" % (n, self.length, self.slots))
        p, at = self.positions(), torch.arange(first, self.length).unsqueeze(1)
        visible = (p >= 0) & (p <= at) & (p > at - self.window)
        s = (q @ self.k.T / q.shape[1] ** 0.5).masked_fill_(~visible, -torch.inf)
        return torch.softmax(s, dim=1) @ self.v
