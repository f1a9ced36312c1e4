# right: looks at every tile of keys and counts those whose last (whole) or first key lies within reach
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    reach_of_first = start + n_k - n_q
    reach_of_last = stop - 1 + n_k - n_q
    full = seen = 0
    for key in range(0, n_k, tile_n):
        complete = key + tile_n <= n_k
        full += int(complete and key + tile_n - 1 <= reach_of_first)
        seen += int(key <= reach_of_last)
    return full, seen
