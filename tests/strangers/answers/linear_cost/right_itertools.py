# Right: the three matrices as the pairs of three sizes, itertools.combinations and math.prod.
from itertools import combinations
from math import prod


def linear_cost(tokens, d_in, d_out, itemsize):
    sizes = (tokens, d_in, d_out)
    return 2 * prod(sizes), itemsize * sum(map(prod, combinations(sizes, 2)))
