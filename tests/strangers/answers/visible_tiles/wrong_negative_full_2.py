# Wrong: where queries see no key the floor division gives negative numbers.
# Breaks: "two ints with 0 <= full <= seen".
def visible_tiles(start, stop, n_q, n_k, tile_n):
    first_end = start + n_k - n_q + 1
    last_end = stop - 1 + n_k - n_q + 1
    full = first_end // tile_n
    seen = -(-last_end // tile_n)
    return full, max(seen, full)
