# A dictionary of named tensors and their sizes; flops as two products of (g, d) and (d, n) per KV head.
from math import prod


def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    shapes = {
        "Q": (batch, heads, 1, d),
        "K": (batch, kv_heads, n, d),
        "V": (batch, kv_heads, n, d),
        "O": (batch, heads, 1, d),
    }
    group = heads // kv_heads
    multiplications = 2 * batch * kv_heads * group * n * d
    return 2 * multiplications, itemsize * sum(map(prod, shapes.values()))
