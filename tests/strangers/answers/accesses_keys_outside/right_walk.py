# style: walk over the tiles of keys and sum rows
def accesses_keys_outside(n, d, tile_m, tile_n):
    loads = stores = 0
    for start in range(0, n, tile_n):
        loads += 2 * d * (min(start + tile_n, n) - start) + n * (2 * d + 2)
        stores += n * (d + 2)
    return loads, stores
