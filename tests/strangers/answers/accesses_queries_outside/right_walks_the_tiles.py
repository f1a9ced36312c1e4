# adds up the numbers of each turn of the outer loop
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    loads = stores = 0
    for i in range(0, n, tile_m):
        rows = min(tile_m, n - i)
        loads += rows * d + 2 * n * d  # Q of the tile, then all of K and V
        stores += rows * (d + 1)  # O and L
    return loads, stores
