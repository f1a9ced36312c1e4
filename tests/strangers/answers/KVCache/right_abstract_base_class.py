# Right: an abstract base class with abc.abstractmethod of its own, super().__init__, typing.override-like comments
from abc import ABC, abstractmethod

import torch
from torch import Tensor


class CacheFull(Exception):
    """More tokens were handed to a cache than it has room for."""


class BaseCache(ABC):
    """What every cache can do."""

    def __init__(self) -> None:
        self.length = 0

    @abstractmethod
    def append(self, k: Tensor, v: Tensor) -> None: ...

    @abstractmethod
    def contents(self) -> tuple[Tensor, Tensor]: ...


class KVCache(BaseCache):
    """Keys and values of all tokens read so far, for one layer, in two buffers of fixed size."""

    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        super().__init__()
        shape = batch, heads, capacity, d
        self.k, self.v = torch.zeros(shape), torch.zeros(shape)

    def append(self, k: Tensor, v: Tensor) -> None:
        begin, end = self.length, self.length + k.shape[-2]
        if end > self.k.shape[-2]:
            raise CacheFull
        self.k[..., begin:end, :] = k
        self.v[..., begin:end, :] = v
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        filled = (..., slice(self.length), slice(None))
        return self.k[filled], self.v[filled]
