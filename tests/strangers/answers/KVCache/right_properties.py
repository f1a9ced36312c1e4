# Right: properties, __len__ and __repr__, copy_ into narrow views, guard clause with an f-string.
import torch
from torch import Tensor


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros_like(self.k)
        self.length = 0

    def __len__(self) -> int:
        return self.length

    def __repr__(self) -> str:
        return f"KVCache({self.length} of {self.capacity} slots)"

    @property
    def capacity(self) -> int:
        return self.k.shape[2]

    @property
    def room(self) -> int:
        return self.capacity - len(self)

    def append(self, k: Tensor, v: Tensor) -> None:
        if (n := k.shape[2]) > self.room:
            raise CacheFull(f"{n} tokens, room for {self.room}")
        for buffer, new in ((self.k, k), (self.v, v)):
            buffer.narrow(2, self.length, n).copy_(new)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        k, v = (buffer.narrow(2, 0, len(self)) for buffer in (self.k, self.v))
        return k, v
