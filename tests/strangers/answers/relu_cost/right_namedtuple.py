# Right: returns a typing.NamedTuple of the two numbers.
from typing import NamedTuple


class Cost(NamedTuple):
    """Operations, and bytes that cross between chip and main memory."""

    flops: int
    bytes_moved: int


def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    """
    >>> relu_cost(10, 4)
    Cost(flops=10, bytes_moved=80)
    """
    there = back = n * itemsize
    return Cost(flops=n, bytes_moved=there + back)
