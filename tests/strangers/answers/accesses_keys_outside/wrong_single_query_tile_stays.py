# If one tile holds all queries, nothing else displaces it, so it is loaded and stored only once; right for tile_m < n, wrong for tile_m >= n with several tiles of keys.
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = -(-n // tile_n)
    if tile_m >= n:
        turns = 1
    return 2 * n * d + turns * n * (2 * d + 2), turns * n * (d + 2)
