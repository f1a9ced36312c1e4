# Leaves L out of the stores.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    tiles = -(-n // largest_tile(d, on_chip))
    return n * d + tiles * 2 * n * d, n * d
