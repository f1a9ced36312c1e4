# floats; "of any size": the number of tiles is taken from a quotient in float64
import math


def flash_attention_accesses(n, d, on_chip):
    tiles = math.ceil(n / largest_tile(d, on_chip))
    return int(1.0 * n * d + 2.0 * tiles * n * d), n * d + n
