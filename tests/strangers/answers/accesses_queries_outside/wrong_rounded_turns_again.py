# Uses round(n / tile_m) for the number of turns: right for divisors and for tails above half a tile, too few turns for short tails (and 0 turns for n < tile_m / 2).
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = round(n / tile_m)
    loads = n * d + turns * (n * d + n * d)
    stores = n * d + n
    return loads, stores
