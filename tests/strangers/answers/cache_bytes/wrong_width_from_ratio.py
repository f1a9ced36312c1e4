# Thinks that d is the width of the whole model and divides by heads as a float: wrong width for all inputs with heads > 1, and returns a float.
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    per_head = d / heads
    return 2 * layers * batch * tokens * kv_heads * per_head * itemsize
