# Walks through both loops and adds up tile by tile.
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    loads = stores = 0
    for j in range(0, n, tile_n):
        loads += 2 * d * (min(j + tile_n, n) - j)
        for i in range(0, n, tile_m):
            rows = min(i + tile_m, n) - i
            loads += rows * (d + d + 1 + 1)
            stores += rows * (d + 1 + 1)
    return loads, stores
