# a frozen dataclass with properties for what a head costs
from dataclasses import astuple, dataclass


@dataclass(frozen=True)
class Cost:
    flops: int = 0
    bytes_moved: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.flops + other.flops, self.bytes_moved + other.bytes_moved)

    def __mul__(self, times: int) -> "Cost":
        return Cost(self.flops * times, self.bytes_moved * times)


def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    scores = Cost(2 * n * n * d, 2 * n * d * itemsize)  # Q and K come
    output = Cost(2 * n * n * d, 2 * n * d * itemsize)  # V comes, O goes
    return astuple((scores + output) * (batch * heads))
