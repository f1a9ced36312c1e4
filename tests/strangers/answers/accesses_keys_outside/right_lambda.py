# style: functional one-liners
ceil = lambda a, b: -(a // -b)  # noqa: E731


def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    """tile_m changes nothing: all rows of Q, O, m, l pass by once for each tile of keys."""
    turns = ceil(n, tile_n)
    state = n * (d + 2)  # O, m and l
    return 2 * n * d + turns * (n * d + state), turns * state
