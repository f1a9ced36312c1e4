# doubles a bound and bisects the largest B for which four tiles fit
def largest_tile(d: int, on_chip: int) -> int:
    low, high = 1, 2
    while 4 * high * d <= on_chip:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if 4 * middle * d <= on_chip:
            low = middle
        else:
            high = middle
    return low
