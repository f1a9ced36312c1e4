# Step by step: one vector, one token, one sequence, all.
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    vector = d * itemsize
    per_token_and_layer = 2 * kv_heads * vector  # a key and a value
    return layers * per_token_and_layer * tokens * batch
