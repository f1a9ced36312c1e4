# Right: goes through the tiles and asks of each whether the first query sees its last key and the last query its first.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    furthest_first = start + n_k - n_q  # last key that the first of these queries sees
    furthest_last = stop - 1 + n_k - n_q
    full = seen = 0
    t = 0
    while t * tile_n < n_k:
        first_key, last_key = t * tile_n, (t + 1) * tile_n - 1
        if last_key < n_k and last_key <= furthest_first:
            full += 1
        if first_key <= furthest_last:
            seen += 1
        t += 1
    return full, seen
