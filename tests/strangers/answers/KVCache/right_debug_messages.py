# Honest: narrow().copy_(), a property, a dataclass-free style with logging and a helper method.
import logging

import torch
from torch import Tensor

log = logging.getLogger(__name__)


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k, self.v = (torch.zeros(batch, heads, capacity, d) for _ in range(2))
        self.length = 0

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
        log.debug("%d tokens", self.length)

    def contents(self) -> tuple[Tensor, Tensor]:
        return tuple(buffer.narrow(2, 0, self.length) for buffer in (self.k, self.v))
