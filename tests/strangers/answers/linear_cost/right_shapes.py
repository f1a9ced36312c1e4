# right: from the shapes of the three matrices; an entry of y takes d_in multiplications and d_in additions
from math import prod


def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    shapes = {"x": (tokens, d_in), "W": (d_in, d_out), "y": (tokens, d_out)}
    multiplications = additions = d_in
    flops = prod(shapes["y"]) * (multiplications + additions)
    return flops, sum(prod(shape) for shape in shapes.values()) * itemsize
