# Wrong: scales the multi-head size by kv_heads / heads with true division, so the result is a float, not an int, and not always the exact number (3 of 7 heads, or above 2^53).
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    shared = kv_heads / heads
    one_head = batch * tokens * d * itemsize
    return 2 * layers * heads * shared * one_head
