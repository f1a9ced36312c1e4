# asks tile after tile whether the first query sees its last key, and the last query its first
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    """How many tiles of keys the queries start to stop - 1 see, whole and at all.

    start, stop: 0 <= start < stop <= n_q.
    causal: query i of n_q sees the keys j <= i + n_k - n_q of n_k, so the last query sees all.
    tile_n: keys of a tile; tile t holds the keys from t tile_n on, the last one what is left.
    Returns (full, seen), two ints with 0 <= full <= seen: every one of these queries sees all
    tile_n keys of the tiles 0 to full - 1; some of them see some of the tiles full to seen - 1;
    none sees anything of the tiles from seen on. full is the largest such number.
    """
    def sees(query, key):
        return key <= query + n_k - n_q

    full = seen = 0
    while (seen * tile_n) < n_k and sees(stop - 1, seen * tile_n):
        seen += 1
    while (full + 1) * tile_n <= n_k and sees(start, (full + 1) * tile_n - 1):
        full += 1
    return full, seen
