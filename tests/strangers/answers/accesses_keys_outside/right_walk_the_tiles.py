# RIGHT. Style: walks over the real tile lengths with sums instead of a closed formula.
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    """What `keys_outside` moves for n queries, n keys and d = d_v.

    n: queries and keys; d: width of Q, K, V and O; tile_m, tile_n: queries and keys of a tile.
    Returns (loads, stores), two ints, in numbers.
    """
    def lengths(tile):
        return [min(tile, n - start) for start in range(0, n, tile)]

    loads = stores = 0
    for keys in lengths(tile_n):
        loads += keys * d + keys * d  # K and V
        loads += n * d + n * (d + 1 + 1)  # Q, and the state of every query
        stores += n * (d + 1 + 1)
    return loads, stores
