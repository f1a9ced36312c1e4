# divides as C does, towards zero, and without clamping below: negative counts when n_q exceeds n_k by more than a tile
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    full = int((start + 1 + n_k - n_q) / tile_n)
    seen = int((stop + n_k - n_q + tile_n - 1) / tile_n)
    return full, seen
