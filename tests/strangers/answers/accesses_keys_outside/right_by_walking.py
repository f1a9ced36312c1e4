# right: no formula, walks over the tiles of keys and adds up what each of them moves
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:

    loads = stores = 0
    for first in range(0, n, tile_n):
        keys = min(tile_n, n - first)
        loads += keys * d * 2  # K, V
        loads += n * (d + d + 1 + 1)  # Q, O, m, l
        stores += n * (d + 1 + 1)  # O, m, l
    return loads, stores
