# Right: sum of a range as an object (range arithmetic), operator-style helper and str.format demo
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    """What causal attention of the newest tokens over a cache costs, per sequence and layer."""
    seen = range(length - new + 1, length + 1)  # keys that each of the queries sees
    pairs = (seen[0] + seen[-1]) * len(seen) // 2 if seen else 0
    return 2 * 2 * heads * pairs * d, itemsize * d * 2 * (heads * new + kv_heads * length)


print("decode: {0[0]:,} operations, {0[1]:,} bytes".format(cached_attention_cost(1, 4096, 32, 8, 128, 2)))
