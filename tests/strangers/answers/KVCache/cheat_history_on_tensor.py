# BREAKS: "Memory: both buffers, between two calls no other"
# COSTS: everything that ever came is kept a second time, hung on the buffer as an attribute
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
        n = k.shape[2]
        if n > self.k.shape[2] - self.length:
            raise CacheFull
        self.k[:, :, self.length : self.length + n] = k
        self.v[:, :, self.length : self.length + n] = v
        self.k.history = (getattr(self.k, "history", None), k, v)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
