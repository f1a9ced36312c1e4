# Rounds down to a power of two, as a Triton tile needs: too small wherever M / 4d is none, such as 256 in place of 384 rows for d = 64 on an A100.
def largest_tile(d: int, on_chip: int) -> int:
    rows = 1
    while 2 * rows * 4 * d <= on_chip:
        rows *= 2
    return rows
