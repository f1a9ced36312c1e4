# Wrong: computes the multi-head cache and divides it by heads // kv_heads, which rounds where kv_heads does not divide heads (e.g. heads 6, kv_heads 4: nothing is saved).
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    group = heads // kv_heads
    mha = 2 * layers * batch * tokens * heads * d * itemsize
    return mha // group
