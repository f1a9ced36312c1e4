# style: terse, ellipsis indexing, walrus
import torch
from torch import Tensor


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k, self.v = (torch.zeros(batch, heads, capacity, d) for _ in range(2))
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        if (end := self.length + k.size(-2)) > self.k.size(-2):
            raise CacheFull
        self.k[..., self.length : end, :] = k
        self.v[..., self.length : end, :] = v
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        return tuple(x[..., : self.length, :] for x in (self.k, self.v))
