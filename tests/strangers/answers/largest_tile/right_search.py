# style: bisection over what fits
from bisect import bisect_right


def largest_tile(d: int, on_chip: int) -> int:
    return bisect_right(range(on_chip + 1), on_chip, key=lambda rows: 4 * rows * d) - 1
