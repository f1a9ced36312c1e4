# Takes stop for the last query.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    low, high = (min(n_k, max(0, i + n_k - n_q + 1)) for i in (start, min(stop, n_q - 1)))
    full = low // tile_n
    seen = len(range(0, high, tile_n))
    return full, seen
