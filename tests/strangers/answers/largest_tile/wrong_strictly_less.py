# student: searches for a tile that is smaller than the chip; where tiles fill it the last row is missing


def largest_tile(d, on_chip):
    low, high = 1, on_chip
    while low < high:
        B = (low + high + 1) // 2
        low, high = (B, high) if 4 * B * d < on_chip else (low, B - 1)
    return low
