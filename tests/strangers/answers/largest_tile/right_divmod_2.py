# style: divmod
def largest_tile(d: int, on_chip: int) -> int:
    rows, _left_over = divmod(on_chip, 4 * d)
    return rows
