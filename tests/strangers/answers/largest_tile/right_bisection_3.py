# style: right; bisection between a number of rows that fits and one that does not
def largest_tile(d: int, on_chip: int) -> int:
    def fits(rows):
        return sum(rows * d for _ in ("Q", "K", "V", "acc")) <= on_chip

    low, high = 1, on_chip + 1  # `low` fits, since on_chip >= 4 d; `high` does not
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    return low
