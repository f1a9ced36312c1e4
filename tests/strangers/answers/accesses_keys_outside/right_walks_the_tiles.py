# adds up the numbers tile by tile as the loop moves them
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    loads = stores = 0
    for j in range(0, n, tile_n):
        loads += 2 * (min(j + tile_n, n) - j) * d  # K and V
        loads += 2 * n * d + 2 * n  # Q, O, m, l of all queries
        stores += n * d + 2 * n
    return loads, stores
