# right: searches the ends and the beginnings of the tiles
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    from bisect import bisect_left, bisect_right

    def keys_of(query):
        return max(0, query + n_k - n_q + 1)

    ends = range(tile_n, n_k + 1, tile_n)  # of whole tiles
    beginnings = range(0, n_k, tile_n)
    return bisect_right(ends, keys_of(start)), bisect_left(beginnings, keys_of(stop - 1))
