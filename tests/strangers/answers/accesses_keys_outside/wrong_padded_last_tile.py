# Counts the last tile of keys as a full one, 2 d tile_n numbers for each turn, although only the rows that exist are loaded: too many when tile_n does not divide n.
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = (n + tile_n - 1) // tile_n
    loads = turns * (2 * tile_n * d + n * (2 * d + 2))
    stores = turns * n * (d + 2)
    return loads, stores
