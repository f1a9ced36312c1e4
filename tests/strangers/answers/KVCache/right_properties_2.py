# style: class with property, __len__, f-string errors, docstrings
import torch
from torch import Tensor


class KVCache:
    """Two buffers of fixed size, filled from the left."""

    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    @property
    def capacity(self) -> int:
        return self.k.shape[2]

    @property
    def room(self) -> int:
        return self.capacity - self.length

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.shape[2]
        if n > self.room:
            raise CacheFull(f"{n} tokens for {self.room} free slots of {self.capacity}")
        where = slice(self.length, self.length + n)
        for buffer, new in ((self.k, k), (self.v, v)):
            buffer[:, :, where].copy_(new)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
