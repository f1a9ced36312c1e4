# Counts the B x B tile of scores too.
def largest_tile(d: int, on_chip: int) -> int:
    b = 1
    while 4 * d * (b + 1) + (b + 1) ** 2 <= on_chip:
        b += 1
    return b
