# Right: binary search by bisect over a range with a key
from bisect import bisect_right


def largest_tile(d: int, on_chip: int) -> int:
    """Rows B of the largest tiles of Q, K, V and acc, each (B, d), that fit on chip together."""
    return bisect_right(range(1, on_chip + 1), on_chip, key=lambda rows: 4 * rows * d)
