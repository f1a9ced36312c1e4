# counts n // tile_n turns (at least one), so the turn of a ragged last tile of keys is missing whenever tile_n < n does not divide n
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = max(1, n // tile_n)
    state = n * (d + 2)
    loads = 2 * n * d + turns * (n * d + state)
    stores = turns * state
    return loads, stores
