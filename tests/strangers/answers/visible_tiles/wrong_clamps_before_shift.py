# Full from start without + 1: a query sees its own key too.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    low, high = (min(n_k, max(0, i + n_k - n_q + 1)) for i in (start, stop - 1))
    full = max(low - 1, 0) // tile_n
    seen = len(range(0, high, tile_n))
    return full, seen
