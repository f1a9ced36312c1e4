# BREAKS: "What comes is written where it belongs, and what is there not again."
# COSTS: every append writes as many old tokens again as come new ones
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
        back = min(n, self.length)
        for buffer, x in ((self.k, k), (self.v, v)):
            part = buffer[:, :, self.length - back : self.length + n]
            torch.cat([part[:, :, :back], x], dim=2, out=part) if False else part.copy_(torch.cat([part[:, :, :back], x], dim=2))
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
