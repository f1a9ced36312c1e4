# makes room for the B x B tile of S as well, which is not counted
def largest_tile(d: int, on_chip: int) -> int:
    B = 1
    while 4 * (B + 1) * d + (B + 1) ** 2 <= on_chip:
        B += 1
    return B
