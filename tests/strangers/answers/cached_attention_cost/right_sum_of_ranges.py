# counts the keys query by query, as the sum of a range, and adds up the sizes of the four matrices
from math import prod


def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    keys_seen = sum(range(length - new + 1, length + 1))
    flops = sum(2 * heads * keys_seen * d for product in ("q k", "p v"))
    query, key = (heads, new, d), (kv_heads, length, d)
    return flops, itemsize * sum(map(prod, (query, key, key, query)))
