# Counts full tile_n keys also for the ragged last tile: wrong when tile_n does not divide n.
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    q_tiles = (n + tile_m - 1) // tile_m
    k_tiles = (n + tile_n - 1) // tile_n
    return n * d + q_tiles * k_tiles * 2 * tile_n * d, n * (d + 1)
