# Forgets that L is stored too (n numbers).
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = -(-n // tile_m)
    return n * d + 2 * n * d * turns, n * d
