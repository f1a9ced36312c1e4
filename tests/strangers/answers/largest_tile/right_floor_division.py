# floor division by the numbers in four rows
def largest_tile(d: int, on_chip: int) -> int:
    return on_chip // (4 * d)
