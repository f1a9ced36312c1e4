# WRONG: seen is at least one, so that the loop runs once: queries that see nothing have seen = 0
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    first = max(0, start + 1 + n_k - n_q)
    last = max(0, stop - 1 + n_k - n_q)
    return first // tile_n, last // tile_n + 1
