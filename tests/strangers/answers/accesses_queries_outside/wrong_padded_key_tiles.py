# counts tile_n rows for every tile of K and V, the ragged last one too: loads too many when tile_n does not divide n
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    loads = stores = 0
    for i in range(0, n, tile_m):
        rows = min(tile_m, n - i)
        loads += rows * d
        for j in range(0, n, tile_n):
            loads += 2 * tile_n * d
        stores += rows * (d + 1)
    return loads, stores
