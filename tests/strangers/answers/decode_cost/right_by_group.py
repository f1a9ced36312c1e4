# right: per sequence and KV head, a group of query rows meets n keys; summed up by multiplication at the end.
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    group = heads // kv_heads  # query rows that share one head of keys
    scores = group * n
    flops_of_group = 2 * scores * d + 2 * scores * d
    numbers_of_group = sum((group * d, n * d, n * d, group * d))  # Q, K, V, O
    groups = batch * kv_heads
    return groups * flops_of_group, groups * numbers_of_group * itemsize
