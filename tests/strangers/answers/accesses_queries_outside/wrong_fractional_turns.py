# uses the fraction n / tile_m as the number of turns and cuts the product to int: right only when tile_m divides n
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    loads = n * d + int(2 * n * d * (n / tile_m))
    return loads, n * (d + 1)
