# Wrong: the number of tiles is math.ceil of a float, which is off for large n.
# Breaks: "ints of any size."
import math


def accesses_keys_outside(n, d, tile_m, tile_n):
    turns = math.ceil(n / tile_n)
    loads = 2 * n * d + turns * n * (2 * d + 2)
    stores = turns * n * (d + 2)
    return loads, stores
