# Builds the mask of these queries and reduces it tile by tile.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    i = torch.arange(start, stop)[:, None]
    mask = torch.arange(n_k)[None, :] <= i + (n_k - n_q)
    parts = mask.split(tile_n, dim=1)
    full = sum(1 for part in parts if part.shape[1] == tile_n and bool(part.all()))
    seen = sum(1 for part in parts if bool(part.any()))
    return full, seen
