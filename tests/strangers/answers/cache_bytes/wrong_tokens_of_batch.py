# Wrong: takes `tokens` for all tokens of the batch together, so batch does not enter; right only for batch = 1.
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    per_token = layers * (kv_heads * d + kv_heads * d) * itemsize
    return per_token * tokens
