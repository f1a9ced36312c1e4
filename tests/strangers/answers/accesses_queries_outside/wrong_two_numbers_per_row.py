# counts m and l as stored instead of the one L: stores too many by n, always
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = (n - 1) // tile_m + 1
    return n * d + turns * 2 * n * d, n * d + 2 * n
