# Copied from keys outside with tile_n left in the number of turns: right only while both tiles give the same number.
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = (n + tile_n - 1) // tile_n
    return n * d + turns * 2 * n * d, n * d + n
