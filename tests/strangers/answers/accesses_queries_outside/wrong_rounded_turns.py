# Rounds n / tile_m to the nearest integer instead of up: wrong when the last tile of queries is less than half full, for instance n = 65 with tiles of 32.
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = max(1, round(n / tile_m))
    return n * d + turns * 2 * n * d, n * (d + 1)
