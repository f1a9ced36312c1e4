"""The oracles of `attention_traffic`."""

from kernels.oracles.memory_hierarchy import total


def attention(batch: int, n_q: int, n_k: int, heads: int, kv_heads: int, d: int, itemsize: int) -> tuple[int, int]:
    """Two products for every query and key, and all four arrays once."""
    one, other = (batch, heads, n_q, d), (batch, kv_heads, n_k, d)
    return 2 * 2 * total((batch, heads, n_q, n_k, d)), itemsize * total(one, other, other, one)


def prefill(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    return attention(batch, n, n, heads, heads, d, itemsize)


def decode(batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int) -> tuple[int, int]:
    return attention(batch, 1, n, heads, kv_heads, d, itemsize)


def three_kernels(n: int, d: int) -> tuple[int, int]:
    rows, square = (n, d), (n, n)
    return total(rows, rows) + total(square) + total(square, rows), total(square) + total(square) + total(rows)


def rows_that_fit(d: int, on_chip: int) -> int:
    rows, more = 0, 2**60
    while more:  # the largest number that fits, bit by bit
        if total(*4 * [(rows + more, d)]) <= on_chip:
            rows += more
        more //= 2
    return rows


def tile_by_tile(n: int, d: int, on_chip: int) -> tuple[int, int]:
    """The walk itself, counted."""
    loads = stores = 0
    tile = rows_that_fit(d, on_chip)
    for first in range(0, n, tile):
        rows = min(tile, n - first)
        loads += total((rows, d), (n, d), (n, d))
        stores += total((rows, d), (rows,))
    return loads, stores
