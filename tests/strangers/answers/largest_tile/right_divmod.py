# style: divmod
def largest_tile(d, on_chip):
    rows, _ = divmod(on_chip, 4 * d)
    return rows
