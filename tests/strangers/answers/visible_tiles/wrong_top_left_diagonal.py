# Aligns the mask at the top left (query i sees keys j <= i), as torch.tril does by default: right for n_q = n_k only.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    full = min(start + 1, n_k) // tile_n
    seen = (min(stop, n_k) + tile_n - 1) // tile_n
    return full, seen
