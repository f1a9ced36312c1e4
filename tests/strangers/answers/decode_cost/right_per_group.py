# cost of one KV head with its group of query heads, times KV heads and sequences
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    group = heads // kv_heads
    flops = group * (2 * n * d + 2 * n * d)
    numbers = 2 * n * d + 2 * group * d
    return batch * kv_heads * flops, batch * kv_heads * numbers * itemsize
