# Right: properties, __len__, __repr__, slicing by a slice object, copy_ into narrow views, a classmethod nobody calls
import torch
from torch import Tensor


class CacheFull(Exception):
    """More tokens were handed to a cache than it has room for."""


class KVCache:
    """Keys and values of all tokens read so far, for one layer, in two buffers of fixed size."""

    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    @property
    def capacity(self) -> int:
        return self.k.size(2)

    def __len__(self) -> int:
        return self.length

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.length}/{self.capacity})"

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.size(2)
        if (end := self.length + n) > self.capacity:
            raise CacheFull(f"{self!r} has no room for {n} more")
        for buffer, new in ((self.k, k), (self.v, v)):
            buffer[:, :, self.length : end].copy_(new)
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        filled = (slice(None), slice(None), slice(self.length))
        return self.k[filled], self.v[filled]
