# style: two divisions
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    first = max(0, start + 1 + n_k - n_q)  # keys that the first query sees
    last = max(0, stop + n_k - n_q)
    return first // tile_n, -(-last // tile_n)
