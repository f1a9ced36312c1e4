# Right: adds up the keys that each new query sees, one query after the other, in whole numbers.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    meetings = sum(range(length - new + 1, length + 1)) * heads  # of a query and a key
    flops = meetings * (2 * d + 2 * d)  # a score, and a value added up
    numbers = 2 * new * heads * d + 2 * length * kv_heads * d
    return flops, numbers * itemsize
