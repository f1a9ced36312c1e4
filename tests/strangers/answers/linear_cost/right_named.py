# style: the shapes as tuples, math.prod
from math import prod


def linear_cost(tokens, d_in, d_out, itemsize):
    x, W, y = (tokens, d_in), (d_in, d_out), (tokens, d_out)
    return prod((*y, d_in, 2)), sum(map(prod, (x, W, y))) * itemsize
