# Right: returns a NamedTuple (a tuple of two ints) with properties; an enum for directions
from enum import Enum, auto
from typing import NamedTuple


class Way(Enum):
    LOAD = auto()
    STORE = auto()


class Cost(NamedTuple):
    flops: int
    bytes_moved: int

    @property
    def intensity(self) -> float:
        return self.flops / self.bytes_moved


def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    return Cost(flops=n, bytes_moved=sum(n * itemsize for _ in Way))


print(relu_cost(10, 4), relu_cost(10, 4).intensity)
