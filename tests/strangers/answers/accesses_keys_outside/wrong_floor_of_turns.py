# Number of turns rounded down (n // tile_n): too small whenever tile_n does not divide n, and no turns at all for n < tile_n.
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    t_c = n // tile_n
    return 2 * n * d + t_c * (2 * n * d + 2 * n), t_c * (n * d + 2 * n)
