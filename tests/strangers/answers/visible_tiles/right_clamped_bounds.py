# The first query's and last query's number of visible keys, clamped, then floor and ceiling; no loops.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    def keys_of(i: int) -> int:
        return min(n_k, max(0, i + n_k - n_q + 1))

    return keys_of(start) // tile_n, -(keys_of(stop - 1) // -tile_n)
