# Grows by torch.cat within the capacity: a second append makes the views of the first stale.
import torch
from torch import Tensor


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k, self.v = (torch.zeros(batch, heads, capacity, d) for _ in range(2))
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.size(2)
        if (end := self.length + n) > self.k.size(2):
            raise CacheFull(f"{n} more than {self.k.size(2) - self.length}")
        rest = self.k.size(2) - end
        self.k = torch.cat([self.k[:, :, : self.length], k, self.k.new_zeros(*k.shape[:2], rest, k.shape[3])], 2)
        self.v = torch.cat([self.v[:, :, : self.length], v, self.v.new_zeros(*v.shape[:2], rest, v.shape[3])], 2)
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k.narrow(2, 0, self.length), self.v.narrow(2, 0, self.length)
