# style: right; walks through the tiles and counts
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    tile = largest_tile(d, on_chip)
    loads = stores = 0
    first = 0
    while first < n:
        queries = min(tile, n - first)
        loads += queries * d
        loads += n * d + n * d
        stores += queries * (d + 1)
        first += queries
    return loads, stores
