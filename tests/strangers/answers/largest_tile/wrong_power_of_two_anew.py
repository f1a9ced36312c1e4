# Rounds down to a power of two, as kernels want it.
def largest_tile(d: int, on_chip: int) -> int:
    return 1 << ((on_chip // (4 * d)).bit_length() - 1)
