# Right: divmod for the number of turns, a bool added to an int.
def accesses_keys_outside(n, d, tile_m, tile_n):
    whole, rest = divmod(n, tile_n)
    turns = whole + bool(rest)
    state = n * d + 2 * n  # O, m and l
    return 2 * n * d + turns * (n * d + state), turns * state
