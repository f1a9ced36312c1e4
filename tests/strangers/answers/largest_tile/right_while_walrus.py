# Counts up with a walrus.
def largest_tile(d: int, on_chip: int) -> int:
    low, high = 1, 1
    while 4 * d * high <= on_chip:
        low, high = high, 2 * high
    while high - low > 1:
        low, high = (mid, high) if 4 * d * (mid := (low + high) // 2) <= on_chip else (low, mid)
    return low
