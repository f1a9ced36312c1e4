# Counts from the view of one KV head and its group of query heads, then multiplies by KV heads and sequences.
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    group = heads // kv_heads
    groups = batch * kv_heads
    flops = groups * group * (2 * n * d + 2 * n * d)  # scores, then the mean of the values
    numbers = groups * (2 * n * d + 2 * group * d)  # K and V once, Q and O of the group
    return flops, numbers * itemsize
