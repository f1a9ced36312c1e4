# one stacked allocation with k and v as views of it, a dict of buffers, narrow and copy_, a private helper
import torch
from torch import Tensor


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        both = torch.zeros(2, batch, heads, capacity, d)
        self.k, self.v = both.unbind(0)
        self.length = 0

    @property
    def room(self) -> int:
        return self.k.size(2) - self.length

    def _named(self):
        return {"k": self.k, "v": self.v}

    def append(self, k: Tensor, v: Tensor) -> None:
        n = k.size(dim=2)
        if n > self.room:
            raise CacheFull(f"{n} tokens, room for {self.room}")
        for name, new in dict(k=k, v=v).items():
            self._named()[name].narrow(2, self.length, n).copy_(new)
        self.length += n

    def contents(self) -> tuple[Tensor, Tensor]:
        return tuple(buffer.narrow(2, 0, self.length) for buffer in self._named().values())
