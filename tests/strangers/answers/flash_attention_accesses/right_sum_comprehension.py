# A sum over the tiles as a generator expression instead of a closed formula.
def largest_tile(d: int, on_chip: int) -> int:
    return on_chip // (4 * d)


def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    tile = largest_tile(d, on_chip)
    sizes = [min(tile, n - begin) for begin in range(0, n, tile)]
    loads = sum(rows * d + 2 * n * d for rows in sizes)
    stores = sum(rows * (d + 1) for rows in sizes)
    return loads, stores
