# does not keep the visible keys at 0 or above: with more queries than keys the counts of tiles whose first (or last) query sees nothing become negative
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    offset = n_k - n_q
    n_all = min(start + 1 + offset, n_k)
    n_any = min(stop + offset, n_k)
    return n_all // tile_n, (n_any + tile_n - 1) // tile_n
