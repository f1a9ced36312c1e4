# rounds n / tile_m to the nearest integer instead of up, so K and V are counted a turn too few when the last tile is less than half full (0 turns if n < tile_m / 2)
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    T_r = int(round(n / tile_m))
    loads = n * d + T_r * (n * d + n * d)
    stores = n * d + n
    return loads, stores
