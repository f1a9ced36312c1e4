# Walks over the tiles of queries and adds up what each one loads and stores.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    tile = largest_tile(d, on_chip)
    loads = stores = 0
    for start in range(0, n, tile):
        rows = min(tile, n - start)
        loads += rows * d + 2 * n * d
        stores += rows * d + rows
    return loads, stores
