# counts the ragged last tile of keys as whole once every key is seen: wrong for a tile that is only the last query when tile_n does not divide n_k
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    tiles = -(-n_k // tile_n)
    ends = [min((t + 1) * tile_n, n_k) for t in range(tiles)]
    begins = [t * tile_n for t in range(tiles)]
    first_sees = max(0, start + 1 + n_k - n_q)
    last_sees = max(0, stop + n_k - n_q)
    full = sum(end <= first_sees for end in ends)
    seen = sum(begin < last_sees for begin in begins)
    return full, seen
