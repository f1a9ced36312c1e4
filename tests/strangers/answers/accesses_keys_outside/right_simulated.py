# the two loops without their tensors, the tiles' sizes summed
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    """What `keys_outside` moves for n queries, n keys and d = d_v.

    n: queries and keys; d: width of Q, K, V and O; tile_m, tile_n: queries and keys of a tile.
    Returns (loads, stores), two ints, in numbers.
    """
    def pieces(tile):
        return [min(tile, n - start) for start in range(0, n, tile)]

    loads = stores = 0
    for keys in pieces(tile_n):
        loads += keys * d * 2  # K, V
        for queries in pieces(tile_m):
            loads += queries * d * 2 + queries * 2  # Q, O; m, l
            stores += queries * d + queries * 2
    return loads, stores
