# counts the keys of the first and the last query; divmod, and the remainder for the tile that is touched
def visible_tiles(start, stop, n_q, n_k, tile_n):
    whole, _ = divmod(max(n_k - n_q + start + 1, 0), tile_n)
    touched, rest = divmod(max(n_k - n_q + stop, 0), tile_n)
    return whole, touched + (rest > 0)
