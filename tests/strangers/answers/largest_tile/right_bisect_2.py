# bisect over a range: the largest B with 4 B d <= M
from bisect import bisect_right


def largest_tile(d: int, on_chip: int) -> int:
    candidates = range(0, on_chip + 1)
    return bisect_right(candidates, on_chip, key=lambda rows: 4 * rows * d) - 1
