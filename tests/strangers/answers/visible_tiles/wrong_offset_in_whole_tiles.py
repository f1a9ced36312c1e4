# turns the offset n_k - n_q into whole tiles first: wrong when the offset is not a multiple of tile_n
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    shift = (n_k - n_q) // tile_n
    full = max((start + 1) // tile_n + shift, 0)
    seen = max((stop + tile_n - 1) // tile_n + shift, 0)
    most = -(-n_k // tile_n)
    return min(full, n_k // tile_n), min(seen, most)
