# right: bisection for the last B whose four tiles fit, without a division by d.
def largest_tile(d: int, on_chip: int) -> int:
    def fits(rows):
        return sum(rows * d for _ in ("Q", "K", "V", "acc")) <= on_chip

    low, high = 1, 2  # on_chip is at least 4 d
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
