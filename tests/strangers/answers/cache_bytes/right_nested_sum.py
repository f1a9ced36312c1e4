# Adds up keys and values layer by layer.
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    total = 0
    for _layer in range(layers):
        for _what in ("keys", "values"):
            total += batch * kv_heads * tokens * d * itemsize
    return total
