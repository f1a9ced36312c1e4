# Right: bisect over a range with a key instead of the floor division; the closed form only asserted
from bisect import bisect_right


def largest_tile(d: int, on_chip: int) -> int:
    tiles = 4  # Q, K, V, acc
    B = bisect_right(range(on_chip + 1), on_chip, key=lambda rows: tiles * rows * d) - 1
    assert B == on_chip // (4 * d)
    return B
