# style: bisect over a range, slow but plain
from bisect import bisect_right


def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    shift = n_k - n_q
    ends = range(tile_n, n_k + 1, tile_n)  # where whole tiles end
    begins = range(0, n_k, tile_n)
    full = bisect_right(ends, start + shift + 1)
    seen = bisect_right(begins, stop - 1 + shift)
    return full, max(full, seen)
