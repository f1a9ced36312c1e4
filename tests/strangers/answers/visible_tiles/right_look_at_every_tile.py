# Looks at every tile of keys and asks the first and the last query about its last and first key.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    diagonal = n_k - n_q
    full = seen = 0
    for key in range(0, n_k, tile_n):
        if key <= stop - 1 + diagonal:
            seen += 1
        if key + tile_n <= n_k and key + tile_n - 1 <= start + diagonal:
            full += 1
    return full, seen
