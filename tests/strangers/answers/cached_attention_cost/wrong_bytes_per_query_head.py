# Wrong: counts K and V once for every QUERY head (as after repeat_kv), so bytes are too many wherever kv_heads < heads; multi-head shapes are right.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    group = heads // kv_heads
    flops = bytes_moved = 0
    past = length - new
    for _ in range(kv_heads * group):
        flops += 4 * d * (past * new + new * (new + 1) // 2)
        bytes_moved += itemsize * d * (new + length + length + new)
    return flops, bytes_moved
