# the paper's ceiling of M / 4d: tiles that do not fit unless 4 d divides M
def largest_tile(d: int, on_chip: int) -> int:
    return -(-on_chip // (4 * d))
