# Queries before the first key (more queries than keys) make negative numbers of tiles.
def visible_tiles(start, stop, n_q, n_k, tile_n):
    full = (start + n_k - n_q + 1) // tile_n
    seen = -(-(stop + n_k - n_q) // tile_n)
    return full, seen
