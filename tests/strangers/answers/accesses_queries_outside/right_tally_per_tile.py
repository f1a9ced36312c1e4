# Right: sums over the tiles of queries and keys with explicit row counts.
def accesses_queries_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    def sizes(tile):
        return [min(tile, n - at) for at in range(0, n, tile)]

    loads = sum(rows * d + sum(2 * keys * d for keys in sizes(tile_n)) for rows in sizes(tile_m))
    stores = sum(rows * d + rows for rows in sizes(tile_m))
    return loads, stores
