# Right: simulates the loop with a generator of tile heights, sum and zip(*)
from collections.abc import Iterator


def heights(n: int, tile: int) -> Iterator[int]:
    """Rows of each tile."""
    while n > 0:
        yield (now := min(n, tile))
        n -= now


def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    """Numbers that flash attention of one head moves, a tile of queries at a time."""
    loads = stores = 0
    for rows in heights(n, largest_tile(d, on_chip)):
        loads += rows * d  # Q
        loads += 2 * n * d  # all of K and V pass by
        stores += rows * (d + 1)  # O and L
    return loads, stores


assert list(heights(10, 4)) == [4, 4, 2]
