# Wrong: FlashAttention-1's order: keys outside; Q, O, m and l come and go for every tile of keys. Shows where n > B, and
# by m beside l where not.


def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    walks = -(-n // largest_tile(d, on_chip))
    loads = 2 * n * d + walks * (2 * n * d + 2 * n)
    stores = walks * (n * d + 2 * n)
    return loads, stores
