# Misreads the second number as how many tiles the diagonal cuts, so it returns (full, cut) and may even give seen < full.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    shift = n_k - n_q
    fewest = min(max(start + 1 + shift, 0), n_k)
    most = min(max(stop + shift, 0), n_k)
    full = fewest // tile_n
    cut = -(-most // tile_n) - full
    return full, cut
