# operations over query heads, bytes of one row per query head and of the cache
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    flops = 4 * batch * heads * n * d
    rows = 2 * batch * heads * d
    cache = 2 * batch * kv_heads * n * d
    return flops, (rows + cache) * itemsize
