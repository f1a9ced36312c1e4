# closed form with clamps and floor division only
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    keys_all = min(max(start + 1 + n_k - n_q, 0), n_k)
    keys_any = min(max(stop + n_k - n_q, 0), n_k)
    return keys_all // tile_n, -(-keys_any // tile_n)
