# Right: a class of shapes whose @ operator counts, with functools.total products by math.prod
import math
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Shape:
    rows: int
    cols: int

    def __matmul__(self, other: Self) -> tuple[Self, int]:
        if self.cols != other.rows:
            raise ValueError(f"{self} @ {other}")
        return Shape(self.rows, other.cols), 2 * self.rows * self.cols * other.cols

    @property
    def size(self) -> int:
        return math.prod((self.rows, self.cols))


def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    """What a linear layer y = x W costs: x (tokens, d_in), W (d_in, d_out), y (tokens, d_out)."""
    x, W = Shape(tokens, d_in), Shape(d_in, d_out)
    y, flops = x @ W
    return flops, itemsize * sum(m.size for m in (x, W, y))
