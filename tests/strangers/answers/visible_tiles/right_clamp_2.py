# two numbers, clamped with sorted(); ceiling division by a double minus
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    def clamp(x: int) -> int:
        return sorted((0, x, n_k))[1]

    shift = n_k - n_q
    seen_by_first = clamp(start + shift + 1)
    seen_by_last = clamp(stop + shift)
    return seen_by_first // tile_n, -(-seen_by_last // tile_n)
