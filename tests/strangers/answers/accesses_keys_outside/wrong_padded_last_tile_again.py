# Counts a whole tile_n rows of K and V for the ragged last tile (and pads the queries too): wrong when a tile size does not divide n.
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    T_c = (n + tile_n - 1) // tile_n
    T_r = (n + tile_m - 1) // tile_m
    kv = T_c * tile_n * d * 2
    q_o_m_l = T_c * T_r * tile_m * (2 * d + 2)
    o_m_l = T_c * T_r * tile_m * (d + 2)
    return kv + q_o_m_l, o_m_l
