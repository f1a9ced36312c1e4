# Counts the last tile of queries as a full one.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    tiles = -(-n // largest_tile(d, on_chip))
    return tiles * largest_tile(d, on_chip) * d + tiles * 2 * n * d, n * d + n
