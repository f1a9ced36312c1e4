# Moves keys only as often as they are seen on average (length - (new - 1) / 2, float) and returns floats: wrong bytes for new > 1.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    mean_keys = length - (new - 1) / 2
    flops = 4 * d * heads * new * mean_keys
    moved = itemsize * (2 * heads * new * d + 2 * kv_heads * mean_keys * d)
    return flops, moved
