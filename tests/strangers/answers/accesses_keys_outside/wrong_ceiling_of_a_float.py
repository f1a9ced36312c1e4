# The number of turns is the ceiling of a quotient of floats, which beyond 2^53 takes a turn with one key more for none.
import math


def accesses_keys_outside(n, d, tile_m, tile_n):
    turns = math.ceil(n / tile_n)
    return 2 * n * d + turns * (2 * n * d + 2 * n), turns * (n * d + 2 * n)
