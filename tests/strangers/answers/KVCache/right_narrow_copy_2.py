# Narrow().copy_() for both buffers in one loop, early return for nothing new.
import torch
from torch import Tensor


class CacheFull(Exception):
    """More tokens were handed to a cache than it has room for."""


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        count = k.size(2)
        if count > self.k.size(2) - self.length:
            raise CacheFull(f"{count} tokens, {self.k.size(2) - self.length} slots")
        if not count:
            return
        for buffer, new in ((self.k, k), (self.v, v)):
            buffer.narrow(2, self.length, count).copy_(new)
        self.length += count

    def contents(self) -> tuple[Tensor, Tensor]:
        return tuple(buffer.narrow(2, 0, self.length) for buffer in (self.k, self.v))
