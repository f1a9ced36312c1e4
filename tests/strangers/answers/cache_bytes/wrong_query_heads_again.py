# Wrong: counts the width of the model (query heads times d) as in GPT-2 calculators, and uses kv_heads nowhere; right only where every query head has a KV head of its own.
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    hidden_size = heads * d
    per_token = 2 * layers * hidden_size * itemsize
    return per_token * tokens * batch
