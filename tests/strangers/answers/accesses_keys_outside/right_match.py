# divmod and a match statement for the ragged tile
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    match divmod(n, tile_n):
        case (whole, 0):
            rounds = whole
        case (whole, _):
            rounds = whole + 1
    state = n * d + 2 * n  # O, m and l
    once = 2 * n * d  # K and V
    return once + rounds * (n * d + state), rounds * state
