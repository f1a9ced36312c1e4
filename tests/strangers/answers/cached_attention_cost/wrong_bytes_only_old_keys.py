# Moves the keys of the cache without those of the new tokens, which are still on the chip.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    seen = new * (2 * length - new + 1) // 2
    return 4 * heads * d * seen, itemsize * d * 2 * (heads * new + kv_heads * (length - new))
