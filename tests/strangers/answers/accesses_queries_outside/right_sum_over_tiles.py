# Sums over the tiles that the loops visit.
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    def height(start, tile):
        return min(tile, n - start)

    loads = sum(
        d * height(i, tile_m) + sum(2 * d * height(j, tile_n) for j in range(0, n, tile_n))
        for i in range(0, n, tile_m)
    )
    stores = sum(d * height(i, tile_m) + height(i, tile_m) for i in range(0, n, tile_m))
    return loads, stores
