# the count of FlashAttention-1: keys and values once, while Q and O (with m and l) go to and fro for each tile of keys
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = largest_tile(d, on_chip)
    tiles = -(-n // B)
    loads = 2 * n * d + tiles * (2 * n * d + 2 * n)
    stores = tiles * (n * d + 2 * n)
    return loads, stores
