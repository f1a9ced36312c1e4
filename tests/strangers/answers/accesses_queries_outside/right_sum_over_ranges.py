# sums lengths of range objects, no division at all
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    owner_turns = len(range(0, n, tile_m))
    return d * (n + 2 * n * owner_turns), n + n * d
