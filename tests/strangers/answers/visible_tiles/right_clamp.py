# Right: a clamp as the middle of three sorted numbers, floor and ceiling by // and unary minus.
def visible_tiles(start, stop, n_q, n_k, tile_n):
    def keys_of(query):
        """How many keys this query sees."""
        _, middle, _ = sorted((0, query + 1 + n_k - n_q, n_k))
        return middle

    least, most = keys_of(start), keys_of(stop - 1)
    return least // tile_n, -(-most // tile_n)
