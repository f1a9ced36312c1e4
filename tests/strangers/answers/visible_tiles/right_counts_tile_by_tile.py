# walks over the tiles and asks of each one whether the first query sees its end and the last its start
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    fewest = start + n_k - n_q  # last key of the first query, may be negative
    most = stop - 1 + n_k - n_q  # last key of the last query
    full = seen = 0
    for left in range(0, n_k, tile_n):
        right = left + tile_n - 1
        full += right <= fewest and right < n_k
        seen += left <= most
    return int(full), int(seen)
