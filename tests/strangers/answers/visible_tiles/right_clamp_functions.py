# Right: sorted() middle as clamp, negative floor division for the ceiling, assertion of the invariant
def _clamp(x: int, low: int, high: int) -> int:
    return sorted((low, x, high))[1]


def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    behind = n_k - n_q
    first_sees = _clamp(start + behind + 1, 0, n_k)  # number of keys that query `start` sees
    last_sees = _clamp(stop - 1 + behind + 1, 0, n_k)
    full, seen = first_sees // tile_n, -(-last_sees // tile_n)
    assert 0 <= full <= seen
    return full, seen
