# Counts FlashAttention-1's order (keys outside, queries, O and statistics reloaded and stored for each key tile); one tile's worth of work comes close, longer sequences do not.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = largest_tile(d, on_chip)
    passes = -(-n // B)
    loads = 2 * n * d + passes * n * d + (passes - 1) * (n * d + n)
    stores = passes * (n * d + n)
    return loads, stores
