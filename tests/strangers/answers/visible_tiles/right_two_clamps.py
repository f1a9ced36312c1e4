# Counts the keys that the first and the last query see, clamps both, rounds one down and one up.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    shift = n_k - n_q
    fewest = min(max(start + 1 + shift, 0), n_k)
    most = min(max(stop + shift, 0), n_k)
    return fewest // tile_n, (most + tile_n - 1) // tile_n
