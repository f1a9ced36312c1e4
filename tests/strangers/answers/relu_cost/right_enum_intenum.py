# Right: an Enum with auto() whose length is used, NamedTuple with a property as the result, demo table with f-strings
from enum import Enum, auto, unique
from typing import NamedTuple


@unique
class Moved(Enum):
    """The tensors that cross between the chip and main memory."""

    X = auto()
    Y = auto()


class Cost(NamedTuple):
    flops: int
    bytes_moved: int

    @property
    def intensity(self) -> float:
        return self.flops / self.bytes_moved


def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    """What y = max(x, 0) costs, for n numbers in main memory."""
    return Cost(flops=n, bytes_moved=len(Moved) * n * itemsize)


print(f"{'n':>10} {'flops':>10} {'bytes':>10}")
for exponent in range(3, 7):
    cost = relu_cost(10**exponent, 4)
    print(f"{10**exponent:>10,} {cost.flops:>10,} {cost.bytes_moved:>10,}  {cost.intensity:.3f}")
