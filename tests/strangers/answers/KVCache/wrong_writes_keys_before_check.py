# Writes what fits before it raises.
import torch
from torch import Tensor


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k, self.v = (torch.zeros(batch, heads, capacity, d) for _ in range(2))
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.size(2)
        if (end := self.length + n) > self.k.size(2):
            fits = self.k.size(2) - self.length
            self.k[:, :, self.length :] = k[:, :, :fits]
            raise CacheFull(n)
        for buffer, new in ((self.k, k), (self.v, v)):
            buffer.narrow(2, self.length, n).copy_(new)
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k.narrow(2, 0, self.length), self.v.narrow(2, 0, self.length)
