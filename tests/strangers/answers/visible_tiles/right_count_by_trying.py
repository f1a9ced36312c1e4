# RIGHT. Style: no clamps; counts the tiles that pass a test on their last and first key.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    """How many tiles of keys the queries start to stop - 1 see, whole and at all.

    start, stop: 0 <= start < stop <= n_q.
    causal: query i of n_q sees the keys j <= i + n_k - n_q of n_k, so the last query sees all.
    tile_n: keys of a tile; tile t holds the keys from t tile_n on, the last one what is left.
    Returns (full, seen), two ints with 0 <= full <= seen: every one of these queries sees all
    tile_n keys of the tiles 0 to full - 1; some of them see some of the tiles full to seen - 1;
    none sees anything of the tiles from seen on. full is the largest such number.
    """
    shift = n_k - n_q
    least, most = start + shift, stop - 1 + shift  # last keys of the first and the last query
    whole = n_k // tile_n  # ragged one left out
    tiles = whole + (n_k % tile_n > 0)
    full = sum(1 for t in range(whole) if t * tile_n + tile_n - 1 <= least)
    seen = sum(1 for t in range(tiles) if t * tile_n <= most)
    return full, seen
