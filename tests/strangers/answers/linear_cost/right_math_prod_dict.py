# Right: math.prod over a dict of shapes, sum of a generator, operator overloading-free
from math import prod


def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    shapes = {"x": (tokens, d_in), "W": (d_in, d_out), "y": (tokens, d_out)}
    bytes_moved = itemsize * sum(map(prod, shapes.values()))
    flops = 2 * prod((tokens, d_in, d_out))
    return flops, bytes_moved
