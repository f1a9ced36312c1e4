# takes stop for the last query of the tile: one tile too many is seen when the last query's last key ends a tile (and it is not the last tile)
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    last_of = lambda query: query + n_k - n_q  # last key
    full = max(last_of(start) + 1, 0) // tile_n
    seen = max(min(last_of(stop), n_k - 1), -1) // tile_n + 1
    return full, seen
