# takes on_chip for bytes and divides by 2 for 16-bit numbers
def largest_tile(d: int, on_chip: int) -> int:
    numbers = on_chip // 2
    return max(1, numbers // (4 * d))
