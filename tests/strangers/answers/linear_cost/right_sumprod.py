# itertools.combinations of the three sizes: every pair of them is a matrix
from itertools import combinations
from math import prod


def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    sizes = (tokens, d_in, d_out)
    numbers = sum(prod(pair) for pair in combinations(sizes, 2))
    return 2 * prod(sizes), numbers * itemsize
