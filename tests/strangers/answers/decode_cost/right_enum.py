# an Enum that names the tensors and knows their shapes
from enum import Enum
from math import prod


class Operand(Enum):
    Q = "query"
    O = "query"  # an alias on purpose: same shape as Q
    K = "cache"
    V = "cache"


def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    shapes = {"query": (batch, heads, 1, d), "cache": (batch, kv_heads, n, d)}
    numbers = sum(prod(shapes[Operand[name].value]) for name in "QKVO")
    one_product = 2 * batch * heads * n * d
    return 2 * one_product, numbers * itemsize
