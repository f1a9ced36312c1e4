# Counts the turns of the outer loop with tile_m instead of tile_n: wrong wherever ceil(n / tile_m) != ceil(n / tile_n).
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = -(-n // tile_m)
    per_turn_in, per_turn_out = 2 * n * d + 2 * n, n * d + 2 * n
    return 2 * n * d + turns * per_turn_in, turns * per_turn_out
