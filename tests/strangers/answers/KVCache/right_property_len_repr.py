# Right: additional dunder methods (__len__, __repr__), a property for the room, narrow().copy_(), no starter order
import torch
from torch import Tensor


class CacheFull(Exception):
    """More tokens were handed to a cache than it has room for."""


class KVCache:
    """Keys and values of all tokens read so far, for one layer, in two buffers of fixed size."""

    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros_like(self.k)
        self.length = 0

    def __len__(self) -> int:
        return self.length

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__}: {len(self)} of {self.k.size(2)} tokens>"

    @property
    def room(self) -> int:
        return self.k.size(2) - self.length

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.size(2)
        if n > self.room:
            raise CacheFull(f"{n} tokens for {self.room} slots")
        for buffer, new in ((self.k, k), (self.v, v)):
            buffer.narrow(2, self.length, n).copy_(new)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return tuple(buffer.narrow(2, 0, self.length) for buffer in (self.k, self.v))


cache = KVCache(1, 2, 4, 8)
cache.append(torch.ones(1, 2, 3, 8), torch.ones(1, 2, 3, 8))
print(cache, cache.room)
try:
    cache.append(torch.ones(1, 2, 2, 8), torch.ones(1, 2, 2, 8))
except CacheFull as full:
    print("as it should:", full)
