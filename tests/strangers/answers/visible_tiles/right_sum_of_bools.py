# Right: takewhile over tiles, predicates as nested functions, sum of a generator of ones
from itertools import takewhile


def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    """How many tiles of keys the queries start to stop - 1 see, whole and at all."""
    shift = n_k - n_q
    tiles = range(-(-n_k // tile_n))

    def whole(t: int) -> bool:
        """Every query sees all tile_n keys of the tile, of which none is missing."""
        return (t + 1) * tile_n - 1 <= start + shift and (t + 1) * tile_n <= n_k

    def touched(t: int) -> bool:
        return t * tile_n <= stop - 1 + shift

    full, seen = (sum(1 for _ in takewhile(test, tiles)) for test in (whole, touched))
    return full, max(full, seen)
