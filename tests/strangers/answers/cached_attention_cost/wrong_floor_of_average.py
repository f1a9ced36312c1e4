# Uses an average row of length - new // 2 keys: exact for one or any odd number of new tokens, half a key per query too few for an even number.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    seen = length - new // 2  # of a query, on average
    flops = 4 * d * heads * new * seen
    moved = 2 * d * itemsize * (heads * new + kv_heads * length)
    return flops, moved
