# Counts one number per row of state, as if L were kept instead of m and l: loads and stores are short by n for each turn, on every input.
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = -(-n // tile_n)
    loads = 2 * n * d + turns * n * (2 * d + 1)
    stores = turns * n * (d + 1)
    return loads, stores
