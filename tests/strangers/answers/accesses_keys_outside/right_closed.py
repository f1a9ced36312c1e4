# style: closed form with ceil by negation
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = -(-n // tile_n)
    state = n * (d + 2)
    return 2 * n * d + turns * (n * d + state), turns * state
