# Right: index_copy_ with slot numbers, private helper methods, a staticmethod, raise from a nested check
import torch
from torch import Tensor


class RollingCache:
    """The last tokens of one head in a ring: token p lies in slot p % slots."""

    def __init__(self, slots: int, window: int, d: int, d_v: int):
        self.window = window
        self.k = torch.zeros(slots, d)
        self.v = torch.zeros(slots, d_v)
        self.length = 0  # tokens that have come; the next one goes to slot length % slots

    @property
    def _slots(self) -> int:
        return self.k.size(0)

    @staticmethod
    def _last(x: Tensor, n: int) -> Tensor:
        return x[max(len(x) - n, 0) :]

    def append(self, k: Tensor, v: Tensor) -> None:
        end = self.length + len(k)
        k, v = self._last(k, self._slots), self._last(v, self._slots)
        where = torch.arange(end - len(k), end) % self._slots
        self.k.index_copy_(0, where, k)
        self.v.index_copy_(0, where, v)
        self.length = end

    def positions(self) -> Tensor:
        slot = torch.arange(self._slots)
        newest = self.length - 1
        p = newest - (newest - slot) % self._slots
        return torch.where(p >= 0, p, -1)

    def _check(self, n: int) -> None:
        if n > self.length:
            raise LookupError(f"{n} queries, and {self.length} tokens")
        first = max(self.length - n - self.window + 1, 0)
        if first < self.length - self._slots:
            raise LookupError(f"token {first} has been replaced")

    def attend(self, q: Tensor) -> Tensor:
        n = len(q)
        self._check(n)
        own = torch.arange(self.length - n, self.length)[:, None]
        p = self.positions()
        visible = (p >= 0) & (p <= own) & (p > own - self.window)
        s = (q @ self.k.T) / q.shape[1] ** 0.5
        return s.masked_fill(~visible, -torch.inf).softmax(dim=1) @ self.v
