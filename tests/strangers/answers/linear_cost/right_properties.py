# style: class with properties and __iter__ so that it unpacks, tuple() at the end
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass
class Linear:
    tokens: int
    d_in: int
    d_out: int
    itemsize: int

    @property
    def flops(self) -> int:
        return 2 * self.tokens * self.d_in * self.d_out

    @property
    def bytes_moved(self) -> int:
        x, W, y = self.tokens * self.d_in, self.d_in * self.d_out, self.tokens * self.d_out
        return (x + W + y) * self.itemsize

    def __iter__(self) -> Iterator[int]:
        yield self.flops
        yield self.bytes_moved


def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    flops, bytes_moved = Linear(tokens, d_in, d_out, itemsize)
    return flops, bytes_moved
