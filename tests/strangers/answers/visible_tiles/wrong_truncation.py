# C's division: int(x / tile) goes towards zero; start 0, stop 4, n_q = 8, n_k = 4, tile 4 gives seen = 1 in place of 0 (last = -1)
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    """How many tiles of keys the queries start to stop - 1 see, whole and at all.

    start, stop: 0 <= start < stop <= n_q.
    causal: query i of n_q sees the keys j <= i + n_k - n_q of n_k, so the last query sees all.
    tile_n: keys of a tile; tile t holds the keys from t tile_n on, the last one what is left.
    Returns (full, seen), two ints with 0 <= full <= seen: every one of these queries sees all
    tile_n keys of the tiles 0 to full - 1; some of them see some of the tiles full to seen - 1;
    none sees anything of the tiles from seen on. full is the largest such number.
    """
    offset = n_k - n_q
    first_last, last_last = start + offset, stop - 1 + offset  # last key of the first, of the last query
    full = int((first_last + 1) / tile_n)
    seen = int(last_last / tile_n) + 1
    return max(full, 0), max(seen, 0)
