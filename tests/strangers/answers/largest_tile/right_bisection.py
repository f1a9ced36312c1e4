# right: doubles until four tiles no longer fit, then halves the interval
def largest_tile(d: int, on_chip: int) -> int:
    def fits(rows: int) -> bool:
        return sum(rows * d for _tile in ("Q", "K", "V", "acc")) <= on_chip

    low, high = 1, 2
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
