# Rounds down to a power of two, as kernels like it: right when M / (4 d) is one, else too small (128 instead of 192 at d = 128 on an A100).
def largest_tile(d: int, on_chip: int) -> int:
    b = 1
    while 4 * d * (2 * b) <= on_chip:
        b *= 2
    return b
