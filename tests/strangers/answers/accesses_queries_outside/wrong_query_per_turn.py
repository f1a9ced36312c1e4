# Counts Q once for each tile of keys as well, as if the inner loop fetched its queries anew: too many loads whenever n > tile_n.
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    t_r, t_c = -(-n // tile_m), -(-n // tile_n)
    return t_c * n * d + t_r * 2 * n * d, n * d + n
