# adds the new token to the n of the cache, which contain it already
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    total = n + 1
    flops = 4 * batch * heads * total * d
    return flops, 2 * batch * d * (heads + kv_heads * total) * itemsize
