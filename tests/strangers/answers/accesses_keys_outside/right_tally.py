# right: walks the outer loop and tallies, no closed formula
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    loads = stores = 0
    for start in range(0, n, tile_n):
        keys = min(tile_n, n - start)
        loads += keys * d * 2  # K, V
        loads += n * d + n * d + n + n  # Q, O, m, l
        stores += n * d + n + n
    return loads, stores
