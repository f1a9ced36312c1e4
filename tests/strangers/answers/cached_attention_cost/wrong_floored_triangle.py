# Wrong: takes the average number of hidden keys, (new - 1) // 2, rounded down before it is multiplied, so the operations are too many for every even number of new tokens; odd numbers and single tokens are right.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    average_seen = length - (new - 1) // 2
    flops = 4 * d * heads * new * average_seen
    bytes_moved = (2 * heads * new * d + 2 * kv_heads * length * d) * itemsize
    return flops, bytes_moved
