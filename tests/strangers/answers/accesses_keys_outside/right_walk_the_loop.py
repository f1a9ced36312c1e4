# Right: walks over the tiles and tallies, without a closed formula.
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    loads = stores = 0
    for j in range(0, n, tile_n):
        loads += 2 * (min(j + tile_n, n) - j) * d
        for i in range(0, n, tile_m):
            rows = min(i + tile_m, n) - i
            loads += rows * (d + d + 1 + 1)
            stores += rows * (d + 1 + 1)
    return loads, stores
