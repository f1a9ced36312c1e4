# style: takewhile and count, max with a default
from itertools import count, takewhile


def largest_tile(d: int, on_chip: int) -> int:
    step = 1
    while 4 * d * step * 2 <= on_chip:
        step *= 2
    *_, rows = takewhile(lambda b: 4 * d * b <= on_chip, count(step))
    return rows
