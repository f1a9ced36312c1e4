# Mistakes the group size heads / kv_heads for the number of cached heads: right where the two are equal, as with 64 query heads on 8 KV heads, wrong bytes for any other pair.
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    n_kv = heads // kv_heads
    flops = 4 * batch * heads * n * d
    q_and_o = 2 * batch * heads * d
    k_and_v = 2 * batch * n_kv * n * d
    return flops, itemsize * (q_and_o + k_and_v)
