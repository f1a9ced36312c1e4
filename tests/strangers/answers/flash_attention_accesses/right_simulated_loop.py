# Right: divmod and itertools.chain of tile sizes, summed per tile
from itertools import chain, repeat


def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = largest_tile(d, on_chip)
    full, rest = divmod(n, B)
    tiles = full + bool(rest)
    loads = n * d + tiles * 2 * n * d
    stores = n * d + n
    # the same, tile by tile (slow for small tiles, so only if there are few)
    if tiles < 64:
        sizes = list(chain(repeat(B, full), [rest] if rest else []))
        assert loads == sum(rows * d + 2 * n * d for rows in sizes)
        assert stores == sum(rows * d + rows for rows in sizes)
    return loads, stores
