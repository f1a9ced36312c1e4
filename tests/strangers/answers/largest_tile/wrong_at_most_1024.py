# No tile is larger than 1024 rows, the most threads of a block: too few where a head is narrow.
def largest_tile(d: int, on_chip: int) -> int:
    return min(1024, on_chip // (4 * d))
