# looks at slices of a boolean mask, where a ragged last tile that is seen entirely counts as whole: full too large for the last query or queries when tile_n does not divide n_k
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    i, j = torch.arange(start, stop)[:, None], torch.arange(n_k)
    sees = j <= i + n_k - n_q
    parts = sees.split(tile_n, dim=1)
    full = sum(bool(part.all()) for part in parts)
    seen = sum(bool(part.any()) for part in parts)
    return full, seen
