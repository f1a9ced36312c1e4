# Groups queries by KV head: each group of heads / kv_heads queries and outputs shares one cache of 2 n rows.
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    group = heads // kv_heads
    groups = batch * kv_heads
    flops = groups * group * n * (2 * d + 2 * d)
    rows = groups * (group + 2 * n + group)
    return flops, rows * d * itemsize
