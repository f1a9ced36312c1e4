# Uses n / tile_n without rounding, so the counts are floats and too small where the last tile is ragged.
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = n / tile_n
    loads = 2 * n * d + turns * (2 * n * d + 2 * n)
    stores = turns * (n * d + 2 * n)
    return loads, stores
