# from the shapes of the three matrices
from math import prod


def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    x, W, y = (tokens, d_in), (d_in, d_out), (tokens, d_out)
    multiplications = additions = prod(y) * d_in
    return multiplications + additions, itemsize * sum(map(prod, (x, W, y)))
