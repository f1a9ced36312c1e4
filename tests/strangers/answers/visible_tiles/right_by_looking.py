# right: asks of each tile, from the mask itself, whether all or some of its keys are seen
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:

    from itertools import takewhile

    def sees(i, j):
        return j <= i + n_k - n_q

    def whole(t):
        last = (t + 1) * tile_n - 1
        return last < n_k and sees(start, last)

    def touched(t):
        return sees(stop - 1, t * tile_n)

    tiles = range((n_k + tile_n - 1) // tile_n)
    full = len(list(takewhile(whole, tiles)))
    return full, len(list(takewhile(touched, tiles)))
