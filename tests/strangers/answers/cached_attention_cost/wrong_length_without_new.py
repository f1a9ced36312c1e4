# Takes `length` for the tokens before the new ones (query i sees length + i + 1): off by one already in a decode step, in flops and bytes.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    seen = sum(length + i + 1 for i in range(new))
    moved = 2 * heads * new * d + 2 * kv_heads * (length + new) * d
    return 4 * heads * d * seen, moved * itemsize
