# Counts full tiles by comparing the last existing key of each tile, so a ragged last tile that all queries see counts as whole (start = stop - 1 = n_q - 1 with n_k no multiple of tile_n).
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    shift = n_k - n_q
    full = seen = 0
    for t in range((n_k + tile_n - 1) // tile_n):
        first, last = t * tile_n, min((t + 1) * tile_n, n_k) - 1
        full += last <= start + shift
        seen += first <= stop - 1 + shift
    return int(full), int(seen)
