# style: comments and named intermediate values
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    # pairs of a query and a key that it sees: length - new + 1, ..., length
    first = length - new + 1
    pairs = (first + length) * new // 2
    FLOPS_PER_PAIR = 2 * d + 2 * d  # one score, one value added
    flops = heads * pairs * FLOPS_PER_PAIR
    numbers = 2 * heads * new * d + 2 * kv_heads * length * d
    return flops, numbers * itemsize
