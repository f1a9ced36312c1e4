# Right: goes through the outer loop and adds what a turn moves, without a division.
def accesses_keys_outside(n, d, tile_m, tile_n):
    loads = stores = 0
    for first in range(0, n, tile_n):
        keys = min(first + tile_n, n) - first
        loads += 2 * keys * d  # K and V
        loads += n * (d + d + 1 + 1)  # Q, O, m, l of all tiles of queries
        stores += n * (d + 1 + 1)  # O, m, l
    return loads, stores
