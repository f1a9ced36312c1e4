# Adds up the visible keys of every query in a loop.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    pairs = sum(length - back for back in range(new))
    flops = heads * pairs * (2 * d + 2 * d)
    q_and_o = 2 * heads * new * d
    k_and_v = 2 * kv_heads * length * d
    return flops, (q_and_o + k_and_v) * itemsize
