# Wrong: takes the number of the last key that the first query sees for how many it sees.
# Breaks: "full is the largest such number."
def visible_tiles(start, stop, n_q, n_k, tile_n):
    full = max(0, start + n_k - n_q) // tile_n
    seen = max(0, -(-(stop + n_k - n_q) // tile_n))
    return min(full, seen), seen
