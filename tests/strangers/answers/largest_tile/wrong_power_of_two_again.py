# Rounds down to a power of two, as Triton's tiles must be, although the contract asks for the largest B that fits.
def largest_tile(d: int, on_chip: int) -> int:
    B = 1
    while 4 * (2 * B) * d <= on_chip:
        B *= 2
    return B
