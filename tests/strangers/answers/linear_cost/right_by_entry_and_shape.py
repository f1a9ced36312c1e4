# right: operations per entry of y times its entries, bytes from a list of shapes.
from math import prod


def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    x, W, y = (tokens, d_in), (d_in, d_out), (tokens, d_out)
    multiplications = additions = d_in
    flops = prod(y) * (multiplications + additions)
    return flops, sum(map(prod, (x, W, y))) * itemsize
