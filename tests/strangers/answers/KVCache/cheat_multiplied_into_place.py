# Breaks: "Nothing is multiplied." (what comes is multiplied by 2^0 on its way into the slots, by ldexp)
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
        end = self.length + k.shape[2]
        if end > self.k.shape[2]:
            raise CacheFull
        torch.ldexp(k, torch.zeros((), dtype=torch.int32), out=self.k[:, :, self.length : end])
        torch.ldexp(v, torch.zeros((), dtype=torch.int32), out=self.v[:, :, self.length : end])
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
