# Costs one KV head with its group of queries first, then multiplies by KV heads and sequences.
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    group = heads // kv_heads
    flops = 2 * 2 * group * n * d
    queries_and_outputs = 2 * group * d
    keys_and_values = 2 * n * d
    times = batch * kv_heads
    return times * flops, times * (queries_and_outputs + keys_and_values) * itemsize
