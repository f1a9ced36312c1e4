# style: counts tiles one by one from the definition
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    def sees(i: int, j: int) -> bool:
        return j <= i + n_k - n_q

    full = seen = 0
    for t in range(-(-n_k // tile_n)):
        low, high = t * tile_n, (t + 1) * tile_n - 1
        if high < n_k and sees(start, high):
            full = t + 1
        if sees(stop - 1, low):
            seen = t + 1
    return full, seen
