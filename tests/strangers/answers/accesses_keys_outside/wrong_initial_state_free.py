# leaves out the loads of O, m and l in the first turn, taking the initial zeros and infinities as uncounted: loads too small by n (d + 2) on every input
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = -(-n // tile_n)
    loads = 3 * n * d + (turns - 1) * (2 * n * d + 2 * n)
    stores = turns * (n * d + 2 * n)
    return loads, stores
