# Ceiling through divmod, both counts in one expression each.
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    whole, rest = divmod(n, tile_m)
    t_r = whole + (rest > 0)
    return n * d + t_r * n * 2 * d, n * (d + 1)
