# Breaks: "batch, heads, capacity, d: sizes of the buffers k and v" and "Memory: both buffers" (the buffers are views of larger ones, with eight slots for each head that are never used)
import torch
from torch import Tensor


class CacheFull(Exception):
    """More tokens were handed to a cache than it has room for."""


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity + 8, d)[:, :, :capacity]
        self.v = torch.zeros(batch, heads, capacity + 8, d)[:, :, :capacity]
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        end = self.length + k.shape[2]
        if end > self.k.shape[2]:
            raise CacheFull
        self.k[:, :, self.length : end] = k
        self.v[:, :, self.length : end] = v
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]
