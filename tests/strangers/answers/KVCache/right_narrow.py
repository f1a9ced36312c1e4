# style: narrow and copy_, a loop over both buffers
import torch
from torch import Tensor


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        n, room = k.size(2), self.k.size(2) - self.length
        if n > room:
            raise CacheFull(f"{n} tokens, {room} slots left")
        for buffer, new in ((self.k, k), (self.v, v)):
            buffer.narrow(2, self.length, n).copy_(new)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return tuple(buffer.narrow(2, 0, self.length) for buffer in (self.k, self.v))
