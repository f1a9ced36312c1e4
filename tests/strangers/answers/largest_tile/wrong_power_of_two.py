# rounds down to a power of two as a kernel would; the contract asks for the largest B
def largest_tile(d: int, on_chip: int) -> int:
    rows = on_chip // (4 * d)
    return 1 << (rows.bit_length() - 1)
