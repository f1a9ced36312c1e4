# counts every tile as full, the ragged last ones of queries and keys too: too many when a tile does not divide n
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    rows_of = lambda t: t * ((n + t - 1) // t)
    t_c, q_rows, k_rows = rows_of(tile_n) // tile_n, rows_of(tile_m), rows_of(tile_n)
    loads = 2 * d * k_rows + t_c * q_rows * (2 * d + 2)
    stores = t_c * q_rows * (d + 2)
    return loads, stores
