# style: careful, from shapes with math.prod
from math import prod


def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    shapes = {
        "Q": (batch, heads, 1, d),
        "O": (batch, heads, 1, d),
        "K": (batch, kv_heads, n, d),
        "V": (batch, kv_heads, n, d),
    }
    scores = prod((batch, heads, 1, n))
    multiply_adds = scores * d + prod(shapes["O"]) * n
    return 2 * multiply_adds, itemsize * sum(map(prod, shapes.values()))
