# Right: ceil by upside-down floor, a lambda table evaluated by name, divmod
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    """What `keys_outside` moves for n queries, n keys and d = d_v."""
    turns, rest = divmod(n, tile_n)
    turns += rest > 0
    per_query = {"Q": lambda: d, "O": lambda: d, "m": lambda: 1, "l": lambda: 1}
    inner = sum(width() for width in per_query.values())
    written = sum(width() for name, width in per_query.items() if name != "Q")
    return turns * n * inner + 2 * n * d, turns * n * written


print(f"{accesses_keys_outside(1024, 64, 128, 128) = }")
