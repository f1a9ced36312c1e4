# Rounds down by round(x - 0.5), which goes to the even number: an odd number of whole tiles becomes one less.
def visible_tiles(start, stop, n_q, n_k, tile_n):
    off = n_k - n_q
    full = round((start + 1 + off) / tile_n - 0.5)
    seen = -((-(stop + off)) // tile_n)
    return max(full, 0), max(seen, 0)
