# walks over the tiles and adds what each of them moves, self-contained tile size
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    tile = on_chip // (4 * d)
    loads = stores = 0
    for start in range(0, n, tile):
        rows = min(tile, n - start)
        loads += rows * d + n * d + n * d
        stores += rows * d + rows
    return loads, stores
