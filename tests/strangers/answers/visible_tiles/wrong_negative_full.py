# Does not clamp at 0: with more queries than keys floor division gives negative tiles.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    low, high = (min(n_k, i + n_k - n_q + 1) for i in (start, stop - 1))
    full = low // tile_n
    seen = len(range(0, high, tile_n))
    return full, seen
