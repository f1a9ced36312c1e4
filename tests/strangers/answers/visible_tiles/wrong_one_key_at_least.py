# The first query is taken to see one key at least, so that a tile of a single key counts as whole where it sees none.
def visible_tiles(start, stop, n_q, n_k, tile_n):
    least = max(1, start + 1 + n_k - n_q)
    most = max(0, stop + n_k - n_q)
    return least // tile_n, (most + tile_n - 1) // tile_n
