# closed formula with the number of tiles rounded up
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = largest_tile(d, on_chip)
    walks = -(-n // B)
    loads = n * d + walks * (2 * n * d)
    stores = n * d + n
    return loads, stores
