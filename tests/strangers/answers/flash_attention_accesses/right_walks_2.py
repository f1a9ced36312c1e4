# right: the tiles one by one with divmod, whole ones and the rest.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = largest_tile(d, on_chip)
    whole, rest = divmod(n, B)
    tiles = [B] * whole + [rest] * (rest > 0)
    loads = sum(rows * d + n * d + n * d for rows in tiles)
    stores = sum(rows * (d + 1) for rows in tiles)
    return loads, stores
