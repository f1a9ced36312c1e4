# Right: counts tiles by asking the first query about each tile's last key and the last query about each tile's first key.
def visible_tiles(start, stop, n_q, n_k, tile_n):
    def sees(query, key):
        return key < n_k and key <= query + n_k - n_q

    firsts = range(0, n_k, tile_n)
    full = sum(sees(start, first + tile_n - 1) for first in firsts)
    seen = sum(sees(stop - 1, first) for first in firsts)
    return full, seen
