# Right: binary search over the number of rows with bisect and a key.
from bisect import bisect_right


def largest_tile(d: int, on_chip: int) -> int:
    rows = range(on_chip + 1)
    return bisect_right(rows, on_chip, key=lambda b: 4 * b * d) - 1
