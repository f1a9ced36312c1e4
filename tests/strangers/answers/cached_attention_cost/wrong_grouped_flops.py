# Counts each KV head's products once for its whole group (flops with kv_heads), as if sharing keys shared arithmetic; right only for multi-head attention.
def cached_attention_cost(
    new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    old = length - new
    pairs = new * old + new * (new + 1) // 2
    queries = heads * new * d * itemsize
    cache = kv_heads * length * d * itemsize
    return 2 * (2 * d * pairs * kv_heads), 2 * queries + 2 * cache
