# counts the ragged last tile of queries as a full one for Q, O and L, so loads and stores are too large whenever tile_m does not divide n
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = (n + tile_m - 1) // tile_m
    per_turn_in = tile_m * d + 2 * n * d
    per_turn_out = tile_m * d + tile_m
    return turns * per_turn_in, turns * per_turn_out
