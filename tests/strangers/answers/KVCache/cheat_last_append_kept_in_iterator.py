# Breaks: "Memory: both buffers, between two calls no other" (a copy of what came last is kept, inside of an iterator, to mend the slots should they be written over)
import torch
from torch import Tensor


class CacheFull(Exception):
    """More tokens were handed to a cache than it has room for."""


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0
        self.again = iter(())

    def append(self, k: Tensor, v: Tensor) -> None:
        end = self.length + k.shape[2]
        if end > self.k.shape[2]:
            raise CacheFull
        self.k[:, :, self.length : end] = k
        self.v[:, :, self.length : end] = v
        self.again = zip((k.clone(), v.clone()), (self.length, end))
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
