# a TypedDict
from typing import TypedDict
import functools, operator


class Sizes(TypedDict):
    x: tuple[int, int]
    W: tuple[int, int]
    y: tuple[int, int]


def numel(shape):
    return functools.reduce(operator.mul, shape, 1)


def linear_cost(tokens, d_in, d_out, itemsize):
    s: Sizes = {"x": (tokens, d_in), "W": (d_in, d_out), "y": (tokens, d_out)}
    return 2 * d_in * numel(s["y"]), itemsize * sum(map(numel, s.values()))
