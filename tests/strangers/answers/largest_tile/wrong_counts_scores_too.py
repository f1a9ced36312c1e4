# Adds the B x B tile of S and solves 4 B d + B^2 <= M; agrees only for small chips where B^2 still fits into the remainder.
def largest_tile(d: int, on_chip: int) -> int:
    B = 1
    while 4 * (B + 1) * d + (B + 1) ** 2 <= on_chip:
        B += 1
    return B
