# two ring objects with slots, grown by +=, called for what they hold
from collections import namedtuple
from typing import ClassVar


class Ring:
    __slots__ = ("buffer", "n")
    AXIS: ClassVar[int] = 2

    def __init__(self, *shape):
        self.buffer, self.n = torch.zeros(shape), 0

    def __len__(self):
        return self.n

    def __iadd__(self, new):
        self.buffer.narrow(self.AXIS, self.n, new.shape[self.AXIS]).copy_(new)
        self.n += new.shape[self.AXIS]
        return self

    def __call__(self):
        return self.buffer.narrow(self.AXIS, 0, self.n)


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.rings = tuple(Ring(batch, heads, capacity, d) for _ in "kv")

    length = property(lambda self: len(self.rings[0]))
    room = property(lambda self: self.rings[0].buffer.shape[2] - self.length)

    def append(self, k: Tensor, v: Tensor) -> None:
        if (n := k.shape[2]) > self.room:
            raise CacheFull(f"{n} > {self.room}")
        for ring, new in zip(self.rings, (k, v), strict=True):
            ring += new

    def contents(self) -> tuple[Tensor, Tensor]:
        return tuple(ring() for ring in self.rings)
