# adds up turn by turn instead of a closed formula
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    loads = stores = 0
    for start in range(0, n, tile_n):
        keys = min(start + tile_n, n) - start
        loads += 2 * keys * d  # K, V
        loads += n * (2 * d + 2)  # Q, O, m, l
        stores += n * (d + 2)
    return loads, stores
