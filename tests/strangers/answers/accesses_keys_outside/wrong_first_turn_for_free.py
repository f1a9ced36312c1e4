# does not count the first read of O, m and l (the zeros of the start are not counted): loads too few by n (d + 2), always
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = -(-n // tile_n)
    loads = 2 * n * d + turns * n * d + (turns - 1) * n * (d + 2)
    stores = turns * n * (d + 2)
    return loads, stores
