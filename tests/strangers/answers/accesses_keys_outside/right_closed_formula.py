# Closed formula, ceiling by negative floor division.
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = -(-n // tile_n)
    loads = 2 * n * d + turns * n * (2 * d + 2)
    stores = turns * n * (d + 2)
    return loads, stores
